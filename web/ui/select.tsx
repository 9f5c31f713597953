import type { ComponentPropsWithRef } from "react";

interface SelectProps<Value extends string> extends Omit<ComponentPropsWithRef<"select">, "value" | "onChange"> {
  value: Value;
  /** Values with their labels. */
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
