import { useFormField } from "../lib/use-form-field.ts";
import { Checkbox } from "./checkbox.tsx";

export function CheckboxField({ name, label }: { name: string; label: string }) {
  const { checked, onChange, onBlur, onFocus } = useFormField<boolean>(name, { type: "checkbox" }).input;
  return <Checkbox name={name} label={label} checked={checked ?? false} onChange={onChange} onBlur={onBlur} onFocus={onFocus} />;
}
