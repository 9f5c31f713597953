import { useId } from "react";
import { Icon, type IconName } from "./icon.tsx";
import { Row, Text } from "./layout.tsx";
import css from "./field.module.css";

export interface Choice<Value> {
  value: Value;
  label: string;
  icon?: IconName;
}

interface ChoiceGroupProps<Value extends string | number> {
  legend: string;
  hideLegend?: boolean;
  /** Legend on the left, choices on the right. */
  inline?: boolean;
  choices: readonly Choice<Value>[];
  value: Value;
  disabled?: boolean;
  onChange: (value: Value) => void;
}

/** Radio buttons as a segmented control, for a few short choices; more of them are a SelectRow. */
export function ChoiceGroup<Value extends string | number>({
  legend,
  hideLegend = false,
  inline = false,
  choices,
  value,
  disabled,
  onChange,
}: ChoiceGroupProps<Value>) {
  const name = useId();
  return (
    <fieldset disabled={disabled}>
      <legend className={hideLegend || inline ? "visually-hidden" : undefined}>{legend}</legend>
      <Row gap={4} justify="between">
        {inline && !hideLegend && (
          <Text as="span" strong aria-hidden="true">
            {legend}
          </Text>
        )}
        <div className={css.choices}>
          {choices.map((choice) => (
            <label key={choice.value} className={css.choice}>
              <input
                type="radio"
                name={name}
                value={choice.value}
                checked={choice.value === value}
                onChange={() => onChange(choice.value)}
              />
              {choice.icon && <Icon name={choice.icon} />}
              {choice.label}
            </label>
          ))}
        </div>
      </Row>
    </fieldset>
  );
}
