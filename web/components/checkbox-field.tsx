import { useField } from "react-final-form";
import { useEffectsAtOnce } from "../lib/use-effects-at-once.ts";
import { Checkbox } from "./checkbox.tsx";

/** A labelled checkbox of a react-final-form form; its value is a boolean. */
export function CheckboxField({ name, label }: { name: string; label: string }) {
  useEffectsAtOnce();
  const { checked, onChange, onBlur, onFocus } = useField<boolean>(name, { type: "checkbox" }).input;
  return <Checkbox name={name} label={label} checked={checked ?? false} onChange={onChange} onBlur={onBlur} onFocus={onFocus} />;
}
