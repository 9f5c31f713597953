import { paths } from "../../lib/paths.ts";
import { ButtonLink } from "../../components/button.tsx";
import { keepInvite, type KeptInvite } from "../../lib/kept-invite.ts";
import css from "./invited.module.css";

/** For a visitor: sign up or sign in, and come back to join. The invitation is kept meanwhile. */
export function InvitedVisitor({ invite }: { invite: KeptInvite }) {
  const to = (type: "signup" | "signin") => paths.auth({ type, returnUrl: paths.joinComplete(invite.token), token: invite.token });
  return (
    <div className={css.choices}>
      <ButtonLink to={to("signup")} variant="primary" wide onClick={() => keepInvite(invite)}>
        Create a new account
      </ButtonLink>
      <ButtonLink to={to("signin")} wide onClick={() => keepInvite(invite)}>
        Sign in with existing account
      </ButtonLink>
    </div>
  );
}
