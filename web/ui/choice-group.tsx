import { useId } from "react";
import { classNames } from "../lib/class-names.ts";
import { Icon, type IconName } from "./icon.tsx";
import css from "./choice-group.module.css";

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
    <fieldset className={css.group} disabled={disabled}>
      <legend className={classNames(css.legend, hideLegend && "visually-hidden")}>{legend}</legend>
      <div className={css.choices}>
        {choices.map((choice) => (
          <label key={choice.value} className={css.choice}>
            <input type="radio" name={name} value={choice.value} checked={choice.value === value} onChange={() => onChange(choice.value)} />
            {choice.icon && <Icon name={choice.icon} />}
            {choice.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
