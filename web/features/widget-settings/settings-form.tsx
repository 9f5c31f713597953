import { type WidgetField, widgetTable, withDefaults } from "#contract/widget-choices.ts";
import { ChoiceGroup } from "../../components/choice-group.tsx";
import { Section } from "../../components/section.tsx";
import type { WidgetForm } from "./form.ts";
import { NumberRow } from "./number-row.tsx";
import { SwitchRow } from "./switch-row.tsx";
import type { WidgetFormState } from "./use-widget-form.ts";

interface SettingsFormProps {
  form: WidgetForm;
  problem: string | undefined;
  disabled: boolean;
  change: WidgetFormState["change"];
}

/** The groups of settings as the table in the contract has them. Source: specification, sections 2 and 3. */
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
  /** The group says already what it is. */
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
