import { useId } from "react";
import { type WidgetField, widgetTable, withDefaults } from "#contract/widget-choices.ts";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import { FieldFrame } from "../../ui/field-frame.tsx";
import { Input } from "../../ui/input.tsx";
import { Section } from "../../ui/section.tsx";
import { SwitchRow } from "../../ui/switch.tsx";
import type { WidgetForm } from "./form.ts";
import type { WidgetFormState } from "./use-widget-form.ts";

interface SettingsFormProps {
  form: WidgetForm;
  problem: string | undefined;
  disabled: boolean;
  change: WidgetFormState["change"];
}

/** Groups from the contract's table. Source: specification, sections 2 and 3. */
export function SettingsForm({ form, problem, disabled, change }: SettingsFormProps) {
  const values: Readonly<Record<string, Readonly<Record<string, unknown>>>> = withDefaults(form);
  return widgetTable.map(([group, { title, text, fields }]) => (
    <Section key={group} title={title} text={text}>
      {Object.entries(fields).map(([name, field], _, all) => (
        <Control
          key={name}
          field={field}
          isOnly={all.length === 1}
          value={values[group]?.[name]}
          problem={problem}
          disabled={disabled}
          onChange={(value) => change(group, { [name]: value } as Partial<WidgetForm[typeof group]>)}
        />
      ))}
    </Section>
  ));
}

interface ControlProps {
  field: WidgetField;
  /** The group's title is enough. */
  isOnly: boolean;
  value: unknown;
  problem: string | undefined;
  disabled: boolean;
  onChange: (value: string | number | boolean) => void;
}

function Control({ field, isOnly, value, problem, disabled, onChange }: ControlProps) {
  const { label } = field;
  if (field.type === "switch") return <SwitchRow label={label} disabled={disabled} checked={value === true} onChange={onChange} />;
  if (field.type === "count") {
    const { min, max } = field;
    return <NumberRow label={label} min={min} max={max} value={Number(value)} problem={problem} disabled={disabled} onChange={onChange} />;
  }
  const choices = field.options.map(([one, word]) => ({ value: one, label: word }));
  return (
    <ChoiceGroup
      legend={label}
      hideLegend={isOnly}
      disabled={disabled}
      choices={choices}
      value={value as string | number}
      onChange={onChange}
    />
  );
}

interface NumberRowProps {
  label: string;
  min: number;
  max: number;
  /** NaN while empty. */
  value: number;
  problem: string | undefined;
  disabled?: boolean;
  onChange: (value: number) => void;
}

function NumberRow({ label, min, max, value, problem, disabled, onChange }: NumberRowProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={`${min}–${max}`} error={problem}>
      <Input
        id={id}
        type="number"
        style={{ width: "6rem" }}
        min={min}
        max={max}
        step={1}
        disabled={disabled}
        value={Number.isNaN(value) ? "" : value}
        aria-invalid={problem !== undefined}
        aria-describedby={problem ? `${id}-error` : `${id}-hint`}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
    </FieldFrame>
  );
}
