import { type CompleteWidgetSettings, type WidgetSettings, widgetTable, withDefaults } from "#contract/widget-choices.ts";

/** What the form holds: every group with every field; null, which means the default, where a saved group does not say. */
export type WidgetForm = { [Group in keyof CompleteWidgetSettings]: Nullable<CompleteWidgetSettings[Group]> };
type Nullable<Fields> = { [Field in keyof Fields]: Fields[Field] | null };

/** The form for saved settings: each group that is there is applied, the others keep their defaults. Source: specification, section 4 ("Widget page"). */
export function formOf(saved: WidgetSettings): WidgetForm {
  const defaults = withDefaults({});
  const group = <Name extends keyof WidgetForm>(name: Name): WidgetForm[Name] => {
    const said = saved[name] as Partial<WidgetForm[Name]> | undefined;
    if (said === undefined) return defaults[name] as WidgetForm[Name];
    const fields = Object.keys(defaults[name]) as (keyof WidgetForm[Name])[];
    return Object.fromEntries(fields.map((field) => [field, said[field] ?? null])) as WidgetForm[Name];
  };
  return Object.fromEntries(widgetTable.map(([name]) => [name, group(name)])) as unknown as WidgetForm;
}

/** Both forms draw the same widget. NaN, an empty number field, is like nothing saved. */
export function isSame(one: WidgetForm, other: WidgetForm): boolean {
  return JSON.stringify(withDefaults(one)) === JSON.stringify(withDefaults(other));
}
