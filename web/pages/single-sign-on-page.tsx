import { useHref, useSearchParams } from "react-router-dom";
import { BeginForm } from "../features/single-sign-on/begin-form.tsx";
import { paths } from "../lib/paths.ts";
import { ButtonLink } from "../ui/button.tsx";
import { NarrowPage } from "../ui/page.tsx";

/** Its query is the sign-in page's, and says where to continue. */
export function Component() {
  const [query] = useSearchParams();
  const signIn = `${paths.auth()}?${query}`;
  return (
    <NarrowPage title="Single sign-on" text="Enter your work email. If your company uses single sign-on, you continue at its sign-in page.">
      <BeginForm next={useHref(signIn)} />
      <ButtonLink to={signIn} variant="quiet" wide>
        Sign in with a password
      </ButtonLink>
    </NarrowPage>
  );
}
