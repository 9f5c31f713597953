import { type CompleteWidgetSettings, type WidgetSettings, widgetTable, withDefaults } from "#contract/widget-choices.ts";

/** Every field of every group; null means the default. */
export type WidgetForm = { [Group in keyof CompleteWidgetSettings]: Nullable<CompleteWidgetSettings[Group]> };
type Nullable<Fields> = { [Field in keyof Fields]: Fields[Field] | null };

/** Saved groups applied over the defaults. Source: specification, section 4 ("Widget page"). */
export function toForm(saved: WidgetSettings): WidgetForm {
  const defaults = withDefaults({});
  const group = <Name extends keyof WidgetForm>(name: Name): WidgetForm[Name] => {
    const savedGroup = saved[name] as Partial<WidgetForm[Name]> | undefined;
    if (savedGroup === undefined) return defaults[name] as WidgetForm[Name];
    const fields = Object.keys(defaults[name]) as (keyof WidgetForm[Name])[];
    return Object.fromEntries(fields.map((field) => [field, savedGroup[field] ?? null])) as WidgetForm[Name];
  };
  return Object.fromEntries(widgetTable.map(([name]) => [name, group(name)])) as unknown as WidgetForm;
}

/** True if both render the same widget; an empty number field (NaN) counts as unset. */
export function isSameWidget(one: WidgetForm, other: WidgetForm): boolean {
  return JSON.stringify(withDefaults(one)) === JSON.stringify(withDefaults(other));
}
