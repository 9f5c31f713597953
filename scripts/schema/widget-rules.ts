import { ofEachField, type WidgetField } from "#contract/widget-choices.ts";

export const widgetRulesFile = "supabase/schemas/59-widget-rules.sql";

function ruleOf(field: WidgetField): unknown {
  if (field.type === "choice") return field.options.map(([value]) => value);
  return field.type === "switch" ? "boolean" : { min: field.min, max: field.max };
}

export function widgetRulesSql(): string {
  const rules = JSON.stringify(ofEachField(ruleOf), null, 2).replace(
    /\[\s+([^[\]{}]*?)\s+\]/g,
    (_, list: string) => `[${list.replace(/\s+/g, " ")}]`,
  );
  return `-- Generated from contract/widget-choices.ts by \`npm run db:baseline\`.
create function private.widget_setting_rules() returns jsonb
language sql immutable parallel safe set search_path = '' as $$
  select '${rules.replaceAll("'", "''").replaceAll("\n", "\n  ")}'::jsonb
$$;
`;
}
