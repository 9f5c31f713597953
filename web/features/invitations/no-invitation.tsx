import { errorCatalogue } from "#contract/errors.ts";
import { paths } from "../../lib/paths.ts";
import { ButtonLink } from "../../components/button.tsx";
import { NarrowPage } from "../../components/narrow-page.tsx";

/** Wrong, used, revoked and expired links look alike. */
export function NoInvitation() {
  return (
    <NarrowPage title="Invalid invitation" text={errorCatalogue.invalid_invitation.sentence}>
      <ButtonLink to={paths.auth({ type: "signin" })} variant="primary" wide>
        Go to Sign In
      </ButtonLink>
    </NarrowPage>
  );
}
