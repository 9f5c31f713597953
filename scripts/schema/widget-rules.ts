import { readFileSync, writeFileSync } from "node:fs";
import { ofEachField, type WidgetField } from "#contract/widget-choices.ts";
import { migrationsIn } from "../../supabase/local/engine/migrate.ts";

const schemaFile = "supabase/schemas/60-widget.sql";
const rulesFunction = /create function private\.widget_setting_rules\(\)[\s\S]*?\$\$;\n/;

function ruleOf(field: WidgetField): unknown {
  if (field.type === "choice") return field.options.map(([value]) => value);
  return field.type === "switch" ? "boolean" : { min: field.min, max: field.max };
}

/** The database's function that says what each setting of the widget may be, as contract/widget-choices.ts has it. */
export function widgetRulesSql(): string {
  const rules = JSON.stringify(ofEachField(ruleOf), null, 2).replace(
    /\[\s+([^[\]{}]*?)\s+\]/g,
    (_, list: string) => `[${list.replace(/\s+/g, " ")}]`,
  );
  return `create function private.widget_setting_rules() returns jsonb
language sql immutable parallel safe set search_path = '' as $$
  select '${rules.replaceAll("'", "''").replaceAll("\n", "\n  ")}'::jsonb
$$;
`;
}

export const hasPresentRules = (): boolean => readFileSync(schemaFile, "utf8").includes(widgetRulesSql());

/** `npm run widget-rules`: writes the function where the schema declares it, and a migration to it. */
if (import.meta.main && !hasPresentRules()) {
  const present = readFileSync(schemaFile, "utf8");
  writeFileSync(
    schemaFile,
    present.replace(rulesFunction, () => widgetRulesSql()),
  );
  const last = migrationsIn("supabase/migrations").at(-1)?.version ?? "0";
  const stamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const version = stamp > last ? stamp : String(Number(last) + 1);
  writeFileSync(
    `supabase/migrations/${version}_widget_setting_rules.sql`,
    widgetRulesSql().replace("create function", "create or replace function"),
  );
}
