import { useId } from "react";
import { Icon, type IconName } from "./icon.tsx";
import { Row } from "./layout.tsx";
import css from "./field.module.css";

export interface Choice<Value> {
  value: Value;
  label: string;
  icon?: IconName;
}

interface ChoiceGroupProps<Value extends string | number> {
  /** The group's accessible name. */
  legend: string;
  hideLegend?: boolean;
  choices: readonly Choice<Value>[];
  value: Value;
  disabled?: boolean;
  onChange: (value: Value) => void;
}

/** Radio buttons styled as a segmented control. */
export function ChoiceGroup<Value extends string | number>({
  legend,
  hideLegend = false,
  choices,
  value,
  disabled,
  onChange,
}: ChoiceGroupProps<Value>) {
  const name = useId();
  return (
    <fieldset disabled={disabled}>
      <legend className={hideLegend ? "visually-hidden" : undefined}>{legend}</legend>
      <Row align="stretch">
        {choices.map((choice) => (
          <label key={choice.value} className={css.choice}>
            <input type="radio" name={name} value={choice.value} checked={choice.value === value} onChange={() => onChange(choice.value)} />
            {choice.icon && <Icon name={choice.icon} />}
            {choice.label}
          </label>
        ))}
      </Row>
    </fieldset>
  );
}
