import { singleSignOnEndpoints } from "#contract/single-sign-on.ts";
import { call } from "../../lib/api-client.ts";
import { goTo } from "../../lib/go-to.ts";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { TextField } from "../../ui/text-field.tsx";

const schema = singleSignOnEndpoints.begin.body!.pick({ email: true });

/** `next`: where to continue. */
export function BeginForm({ next }: { next: string }) {
  return (
    <ContractForm
      schema={schema}
      failure="Sign in failed"
      onSubmit={async ({ email }) => goTo((await call(singleSignOnEndpoints.begin, { body: { email, next } })).url)}
    >
      <TextField name="email" label="Work email" type="email" autoComplete="username" autoFocus />
      <SubmitButton variant="primary" wide>
        Continue
      </SubmitButton>
    </ContractForm>
  );
}
