import { useId } from "react";
import { type WidgetField, widgetTable, withDefaults } from "#contract/widget-choices.ts";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import { FieldError } from "../../ui/field-frame.tsx";
import { Input } from "../../ui/input.tsx";
import { Note, Row, Text } from "../../ui/layout.tsx";
import { SettingGroup } from "../../ui/section.tsx";
import { SelectRow } from "../../ui/select.tsx";
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
  return widgetTable.map(([group, { title, text, fields }]) => {
    const controls = Object.entries(fields).map(([name, field], _, all) => (
      <Control
        key={name}
        field={field}
        isOnly={all.length === 1}
        value={values[group]?.[name]}
        problem={problem}
        disabled={disabled}
        onChange={(value) => change(group, { [name]: value } as Partial<WidgetForm[typeof group]>)}
      />
    ));
    const content = controls.length === 1 ? { beside: controls } : { children: controls };
    return <SettingGroup key={group} title={title} text={text} {...content} />;
  });
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
  if (field.options.length > 3) {
    return (
      <SelectRow
        label={label}
        hideLabel={isOnly}
        disabled={disabled}
        options={field.options.map(([one, word]) => [String(one), word] as const)}
        value={String(value)}
        onChange={(chosen) => onChange(field.options.find(([one]) => String(one) === chosen)![0])}
      />
    );
  }
  return (
    <ChoiceGroup
      legend={label}
      hideLegend={isOnly}
      inline
      disabled={disabled}
      choices={field.options.map(([one, word]) => ({ value: one, label: word }))}
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
    <>
      <Row gap={4} justify="between">
        <span>
          <Text as="label" strong htmlFor={id}>
            {label}
          </Text>{" "}
          <Note as="span" id={`${id}-hint`}>
            {`${min}–${max}`}
          </Note>
        </span>
        <Input
          id={id}
          type="number"
          style={{ width: "5rem", minHeight: "2rem", paddingBlock: 0 }}
          min={min}
          max={max}
          step={1}
          disabled={disabled}
          value={Number.isNaN(value) ? "" : value}
          aria-invalid={problem !== undefined}
          aria-describedby={problem ? `${id}-error` : `${id}-hint`}
          onChange={(event) => onChange(event.target.valueAsNumber)}
        />
      </Row>
      {problem && <FieldError id={`${id}-error`}>{problem}</FieldError>}
    </>
  );
}
