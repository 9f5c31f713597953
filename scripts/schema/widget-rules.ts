import { globSync, readFileSync, writeFileSync } from "node:fs";
import { ofEachField, type WidgetField } from "#contract/widget-choices.ts";
import { migrationsIn } from "../../supabase/local/engine/migrate.ts";

const folder = "supabase/migrations";

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
  return `create or replace function private.widget_setting_rules() returns jsonb
language sql immutable parallel safe set search_path = '' as $$
  select '${rules.replaceAll("'", "''").replaceAll("\n", "\n  ")}'::jsonb
$$;
`;
}

/** The last migration of that name, which supabase/config.toml counts among the schema files, says them. */
export function hasPresentRules(): boolean {
  const last = globSync("*_widget_rules.sql", { cwd: folder }).toSorted().at(-1);
  return last !== undefined && readFileSync(`${folder}/${last}`, "utf8") === widgetRulesSql();
}

/** `npm run widget-rules`: writes the function as a migration. */
if (import.meta.main && !hasPresentRules()) {
  const last = migrationsIn(folder).at(-1)?.version ?? "0";
  const stamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const version = stamp > last ? stamp : String(Number(last) + 1);
  writeFileSync(`${folder}/${version}_widget_rules.sql`, widgetRulesSql());
}
