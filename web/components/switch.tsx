import { InputSwitch } from "primereact/inputswitch";

interface SwitchProps {
  /** What a label's htmlFor names. */
  id: string;
  checked: boolean;
  disabled?: boolean;
  busy?: boolean;
  onChange: (checked: boolean) => void;
}

/** A switch; its label stands beside it. */
export function Switch({ id, checked, disabled, busy, onChange }: SwitchProps) {
  return (
    <InputSwitch inputId={id} checked={checked} disabled={disabled} aria-busy={busy} onChange={(event) => onChange(event.value ?? false)} />
  );
}
