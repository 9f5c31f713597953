import { useId } from "react";
import { Row, Text } from "./layout.tsx";
import css from "./switch.module.css";

interface SwitchProps {
  id: string;
  checked: boolean;
  disabled?: boolean;
  busy?: boolean;
  onChange: (checked: boolean) => void;
}

/** Native: PrimeReact's InputSwitch does the same with 10 KB of script (docs/decisions/0010). */
export function Switch({ id, checked, disabled, busy, onChange }: SwitchProps) {
  return (
    <input
      type="checkbox"
      role="switch"
      id={id}
      className={css.switch}
      checked={checked}
      aria-checked={checked}
      disabled={disabled}
      aria-busy={busy}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

export function SwitchRow({ label, ...props }: { label: string } & Omit<SwitchProps, "id">) {
  const id = useId();
  return (
    <Row gap={4} nowrap>
      <Text as="label" strong grow htmlFor={id} style={{ cursor: "pointer" }}>
        {label}
      </Text>
      <Switch id={id} {...props} />
    </Row>
  );
}
