import { useFormState } from "react-final-form";
import { passwordMinLength } from "#contract/limits.ts";
import { TextField } from "../../ui/text-field.tsx";
import { strengthSentence } from "./strength-sentence.ts";

/** Says how strong the password is while it is typed. `email`: unless the form has it. */
export function NewPasswordField({ label, email }: { label: string; email?: string }) {
  const { values } = useFormState<{ password?: string; email?: string }>({ subscription: { values: true } });
  return (
    <TextField
      name="password"
      label={label}
      type="password"
      autoComplete="new-password"
      hint={`At least ${passwordMinLength} characters`}
      status={strengthSentence(values.password ?? "", email ?? values.email)}
    />
  );
}
