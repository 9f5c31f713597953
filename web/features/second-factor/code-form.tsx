import { factorCodeInput, factorEndpoints } from "#contract/factors.ts";
import { call } from "../../lib/api-client.ts";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { Text } from "../../ui/layout.tsx";
import { TextField } from "../../ui/text-field.tsx";

/** Second step of a sign-in. */
export function CodeForm({ onSignedIn }: { onSignedIn: (workspaceId: string | null) => void }) {
  return (
    <ContractForm
      schema={factorCodeInput}
      failure="Sign in failed"
      onSubmit={async (body) => onSignedIn((await call(factorEndpoints.signIn, { body })).workspaceId)}
    >
      <Text tone="muted">Enter the code from your authenticator app, or one of your recovery codes.</Text>
      <CodeField />
      <SubmitButton variant="primary" wide>
        Sign In
      </SubmitButton>
    </ContractForm>
  );
}

export const CodeField = () => <TextField name="code" label="Code" autoComplete="one-time-code" autoFocus />;
