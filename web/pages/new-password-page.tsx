import { useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { newPassword } from "#contract/auth.ts";
import { passwordMinLength } from "#contract/limits.ts";
import { paths } from "../lib/paths.ts";
import { Note } from "../ui/layout.tsx";
import { NarrowPage } from "../ui/page.tsx";
import { hasRecentAccess } from "../features/account-access/since.ts";
import { PasswordForm } from "../features/auth/password-form.tsx";
import { UpdatePasswordForm, updatePasswordFormId } from "../features/auth/password-forms.tsx";
import { strengthSentence } from "../features/auth/strength-sentence.ts";
import { useAuthClient } from "../features/auth/use-auth-client.ts";
import { afterConfirming } from "../features/invitations/after-confirming.ts";
import { useProfile } from "../features/account/profile.ts";
import { changePassword } from "../lib/change-password.ts";
import { toasts } from "../lib/toasts.ts";

const hintId = "new-password-hint";
const whyFirst = "Your email is confirmed. You opened this link in a different browser, so please set your password again.";

/** New password after an email link. History state `isFirst`: the link confirmed an account from another browser, whose password may be someone else's. */
export function Component() {
  const navigate = useNavigate();
  const { isFirst = false } = (useLocation().state ?? {}) as { isFirst?: boolean };
  const email = useProfile().data?.email ?? "";
  const [typed, setTyped] = useState("");
  const { client, problem } = useAuthClient({
    async changePassword(password) {
      await changePassword(newPassword.parse(password));
      toasts.success("Password changed");
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
      {/* Password managers identify the account by this field. */}
      <input form={updatePasswordFormId} type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordForm problem={problem}>
        <div onInput={({ target }) => setTyped((target as HTMLInputElement).value)}>
          <UpdatePasswordForm client={client} hintId={hintId} />
        </div>
        <Note as="div" aria-live="polite">
          {strengthSentence(typed, email)}
        </Note>
      </PasswordForm>
    </NarrowPage>
  );
}
