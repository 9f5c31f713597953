import { type ComponentPropsWithRef, useId } from "react";
import { Row, Text } from "./layout.tsx";
import css from "./field.module.css";

interface SelectProps<Value extends string> extends Omit<ComponentPropsWithRef<"select">, "value" | "onChange"> {
  value: Value;
  options?: readonly (readonly [Value, string])[];
  onChange: (value: Value) => void;
}

/** A native select; `children` may hold its options instead. */
export function Select<Value extends string>({ value, options, onChange, children, ...rest }: SelectProps<Value>) {
  return (
    <select {...rest} value={value} onChange={({ target }) => onChange(target.value as Value)}>
      {options?.map(([key, label]) => (
        <option key={key} value={key}>
          {label}
        </option>
      ))}
      {children}
    </select>
  );
}

interface SelectRowProps<Value extends string> extends Omit<SelectProps<Value>, "id"> {
  label: string;
  hideLabel?: boolean;
}

/** Label on the left, select on the right. */
export function SelectRow<Value extends string>({ label, hideLabel, ...select }: SelectRowProps<Value>) {
  const id = useId();
  return (
    <Row gap={4} justify="between">
      <Text as="label" strong htmlFor={id} className={hideLabel ? "visually-hidden" : undefined}>
        {label}
      </Text>
      <Select id={id} className={css.compact} {...select} />
    </Row>
  );
}
