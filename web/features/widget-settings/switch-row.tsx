import { InputSwitch } from "primereact/inputswitch";
import { useId } from "react";
import css from "./settings-form.module.css";

interface SwitchRowProps {
  label: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

/** A switch with its label in front. */
export function SwitchRow({ label, checked, disabled, onChange }: SwitchRowProps) {
  const id = useId();
  return (
    <div className={css.switch}>
      <label htmlFor={id}>{label}</label>
      <InputSwitch inputId={id} checked={checked} disabled={disabled} onChange={(event) => onChange(event.value ?? false)} />
    </div>
  );
}
