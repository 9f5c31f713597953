import { useEffect } from "react";
import { useSWRConfig } from "swr";
import { authEndpoints, loginInput } from "#contract/auth.ts";
import { profileEndpoints } from "#contract/profile.ts";
import { Button } from "../../components/button.tsx";
import { CheckboxField } from "../../components/checkbox-field.tsx";
import { ContractForm } from "../../components/contract-form.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/text-field.tsx";
import { call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { profileKey, useProfile } from "./profile.ts";
import { useSignOut } from "./use-sign-out.ts";

const passwordOnly = loginInput.pick({ password: true, remember: true });

/** Sign in again over the open page, as the same person; what was typed below stays. */
export default function SessionEndedDialog({ onSignedIn }: { onSignedIn: () => void }) {
  const { data: profile } = useProfile();
  const { mutate } = useSWRConfig();
  const signOut = useSignOut();
  const email = profile?.email ?? "";

  function signedIn() {
    onSignedIn();
    toasts.success("You are signed in again", "Nothing was lost. Please repeat what you were doing.");
    void mutate((key) => key !== profileKey); // reads that failed meanwhile are asked for again
  }
  useSessionElsewhere(signedIn);

  return (
    <Dialog open title="Your session has ended">
      <ContractForm
        schema={passwordOnly}
        initialValues={{ remember: true }}
        failure="Sign in failed"
        onSubmit={async (values) => {
          await call(authEndpoints.login, { body: { email, ...values } });
          signedIn();
        }}
      >
        {({ submitting }) => (
          <>
            <p>
              Sign in again as <strong>{email}</strong> to go on. Everything you typed is still here.
            </p>
            {/* Password managers find the account by this field. */}
            <input type="email" autoComplete="username" value={email} readOnly hidden />
            <TextField name="password" label="Password" type="password" autoComplete="current-password" autoFocus />
            <CheckboxField name="remember" label="Remember me" />
            <Button type="submit" variant="primary" wide busy={submitting}>
              Sign In
            </Button>
            <Button variant="quiet" wide onClick={() => void signOut()}>
              Use another account
            </Button>
          </>
        )}
      </ContractForm>
    </Dialog>
  );
}

/** Notices when the person came back from signing in in another tab. */
function useSessionElsewhere(onBack: () => void) {
  useEffect(() => {
    const look = async () => {
      const answer = document.visibilityState === "visible" ? await call(profileEndpoints.me).catch(() => undefined) : undefined;
      if (answer) onBack();
    };
    const listener = () => void look();
    document.addEventListener("visibilitychange", listener);
    return () => document.removeEventListener("visibilitychange", listener);
  });
}
