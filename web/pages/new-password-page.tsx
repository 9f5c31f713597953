import { useNavigate } from "react-router-dom";
import { newPassword } from "#contract/auth.ts";
import { passwordMinLength } from "#contract/limits.ts";
import { paths } from "../app/paths.ts";
import { NarrowPage } from "../components/narrow-page.tsx";
import { setPassword } from "../features/auth/api/passwords.ts";
import { PasswordForm } from "../features/auth/components/password-form.tsx";
import { UpdatePasswordForm, updatePasswordFormId } from "../features/auth/components/password-forms.tsx";
import { useAuthClient } from "../features/auth/state/use-auth-client.ts";
import { useProfile } from "../features/session/profile.ts";
import { toasts } from "../lib/toasts.ts";

const hintId = "new-password-hint";

/** After the link of a mail has let the person in: the new password. */
export function Component() {
  const navigate = useNavigate();
  const email = useProfile().data?.email ?? "";
  const { client, problem } = useAuthClient({
    async changePassword(typed) {
      await setPassword(newPassword.parse(typed));
      toasts.success("Your password was changed");
      await navigate(paths.workspaces, { replace: true });
    },
  });
  const text = (
    <>
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
