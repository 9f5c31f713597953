import type { z } from "zod";
import { factorCodeInput, factorEndpoints } from "#contract/factors.ts";
import { ApiError, call } from "../../lib/api-client.ts";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { Text } from "../../ui/layout.tsx";
import { TextField } from "../../ui/text-field.tsx";

interface CodeFormProps {
  onSignedIn: (workspaceId: string | null) => void;
  /** The first step has to be repeated. */
  onSessionEnded: () => void;
}

/** Second step of a sign-in. */
export function CodeForm({ onSignedIn, onSessionEnded }: CodeFormProps) {
  async function signIn(body: z.output<typeof factorCodeInput>) {
    try {
      onSignedIn((await call(factorEndpoints.signIn, { body })).workspaceId);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "unauthenticated") throw error;
      onSessionEnded();
    }
  }
  return (
    <ContractForm schema={factorCodeInput} failure="Sign in failed" onSubmit={signIn}>
      <Text tone="muted">Enter the code from your authenticator app, or one of your recovery codes.</Text>
      <CodeField />
      <SubmitButton variant="primary" wide>
        Sign In
      </SubmitButton>
    </ContractForm>
  );
}

export const CodeField = () => <TextField name="code" label="Code" autoComplete="one-time-code" autoFocus />;
