import { useId } from "react";
import { InputSwitch } from "primereact/inputswitch";
import { Row, Text } from "./layout.tsx";

interface SwitchProps {
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
