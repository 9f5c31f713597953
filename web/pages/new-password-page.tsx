import { useNavigate } from "react-router-dom";
import { signupInput } from "#contract/auth.ts";
import { passwordMinLength } from "#contract/limits.ts";
import { paths } from "../app/paths.ts";
import { Button } from "../components/button.tsx";
import { ContractForm } from "../components/contract-form.tsx";
import { NarrowPage } from "../components/narrow-page.tsx";
import { TextField } from "../components/text-field.tsx";
import { setPassword } from "../features/auth/api/passwords.ts";
import { useProfile } from "../features/session/profile.ts";
import { toasts } from "../lib/toasts.ts";
import css from "./password-page.module.css";

const passwordOnly = signupInput.pick({ password: true });

/** After the link of a mail has let the person in: the new password. */
export function Component() {
  const navigate = useNavigate();
  const email = useProfile().data?.email ?? "";
  return (
    <NarrowPage title="Choose a new password" text={`For ${email}.`}>
      <div className={css.form}>
        <ContractForm
          schema={passwordOnly}
          failure="The password could not be changed. Please try again later."
          onSubmit={async ({ password }) => {
            await setPassword(password);
            toasts.success("Your password was changed");
            await navigate(paths.workspaces, { replace: true });
          }}
        >
          {({ submitting }) => (
            <>
              {/* Password managers find the account by this field. */}
              <input type="email" autoComplete="username" value={email} readOnly hidden />
              <TextField
                name="password"
                label="New password"
                type="password"
                autoComplete="new-password"
                autoFocus
                hint={`At least ${passwordMinLength} characters`}
              />
              <Button type="submit" variant="primary" wide busy={submitting}>
                Change the password
              </Button>
            </>
          )}
        </ContractForm>
      </div>
    </NarrowPage>
  );
}
