import { z } from "zod";
import { request } from "#contract/posts.ts";
import { ContractForm, SubmitButton } from "../../../ui/contract-form.tsx";
import { FieldWithButton } from "../../../ui/field-frame.tsx";
import { TextField } from "../../../ui/text-field.tsx";

const schema = z.object({ url: request });

interface RequestFormProps {
  /** True after another was linked: keeps the focus. */
  isNext: boolean;
  onLink(url: string): Promise<void>;
}

export function RequestForm({ isNext, onLink }: RequestFormProps) {
  return (
    <ContractForm schema={schema} failure="Couldn't link the request. Try again." onSubmit={({ url }) => onLink(url)}>
      <FieldWithButton>
        <TextField
          name="url"
          label="Link request"
          type="url"
          placeholder="https://linear.app/…"
          hint="An issue in Linear, Jira or GitHub, or a pull request. Readers don't see it."
          autoComplete="off"
          autoFocus={isNext}
        />
        <SubmitButton>Link</SubmitButton>
      </FieldWithButton>
    </ContractForm>
  );
}
