import { useLocation, useNavigate } from "react-router-dom";
import { newPassword } from "#contract/auth.ts";
import { passwordMinLength } from "#contract/limits.ts";
import { paths } from "../lib/paths.ts";
import { NarrowPage } from "../components/narrow-page.tsx";
import { hasRecentAccess } from "../features/account-access/since.ts";
import { PasswordForm } from "../features/auth/password-form.tsx";
import { UpdatePasswordForm, updatePasswordFormId } from "../features/auth/password-forms.tsx";
import { useAuthClient } from "../features/auth/use-auth-client.ts";
import { afterConfirming } from "../features/invitations/after-confirming.ts";
import { useProfile } from "../features/session/profile.ts";
import { changePassword } from "../lib/change-password.ts";
import { toasts } from "../lib/toasts.ts";

const hintId = "new-password-hint";
const whyFirst =
  "Your address is confirmed. We do not recognise this browser as the one that signed up, and anybody can sign up with any address: so choose a password now that only you know.";

/**
 * After the link of a mail has let the person in: the new password. `isFirst`, kept with the history entry: the link confirmed an account
 * that another browser had signed up, so the password chosen there may be somebody else's.
 */
export function Component() {
  const navigate = useNavigate();
  const { isFirst = false } = (useLocation().state ?? {}) as { isFirst?: boolean };
  const email = useProfile().data?.email ?? "";
  const { client, problem } = useAuthClient({
    async changePassword(typed) {
      await changePassword(newPassword.parse(typed));
      toasts.success("Your password was changed");
      if (isFirst) await navigate(await afterConfirming(), { replace: true });
      else if (await hasRecentAccess()) await navigate(paths.accountAccess, { replace: true, state: { next: paths.workspaces } });
      else await navigate(paths.workspaces, { replace: true });
    },
  });
  const text = (
    <>
      {isFirst && `${whyFirst} `}
      For {email}. <span id={hintId}>At least {passwordMinLength} characters.</span>
    </>
  );
  return (
    <NarrowPage title="Choose a new password" text={text}>
      {/* Password managers find the account by this field. */}
      <input form={updatePasswordFormId} type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordForm problem={problem}>
        <UpdatePasswordForm client={client} hintId={hintId} />
      </PasswordForm>
    </NarrowPage>
  );
}
