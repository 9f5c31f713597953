import { InputSwitch } from "primereact/inputswitch";

interface SwitchProps {
  /** For a label's htmlFor. */
  id: string;
  checked: boolean;
  disabled?: boolean;
  busy?: boolean;
  onChange: (checked: boolean) => void;
}

export function Switch({ id, checked, disabled, busy, onChange }: SwitchProps) {
  return (
    <InputSwitch inputId={id} checked={checked} disabled={disabled} aria-busy={busy} onChange={(event) => onChange(event.value ?? false)} />
  );
}
