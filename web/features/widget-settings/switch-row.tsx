import { useId } from "react";
import { Switch } from "../../components/switch.tsx";
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
      <Switch id={id} checked={checked} disabled={disabled} onChange={onChange} />
    </div>
  );
}
