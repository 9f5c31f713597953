import fs from "node:fs";
import path from "node:path";
import { withLimits } from "./limits.ts";
import { widgetRulesFile, widgetRulesSql } from "./widget-rules.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** The only migration until 1.0.0; its name stays, so that data of older versions is refused (supabase/local/engine/migrate.ts). */
export const baselineFile = "supabase/migrations/20261127000000_baseline.sql";

/** Files of supabase/schemas in order, with the contract's limits filled in. */
export const schemaFiles = (): { name: string; text: string }[] =>
  fs
    .globSync("supabase/schemas/*.sql", { cwd: root })
    .toSorted()
    .map((name) => ({ name, text: withLimits(fs.readFileSync(path.join(root, name), "utf8")) }));

export const baselineSql = (): string =>
  [
    "-- Generated from supabase/schemas by `npm run db:baseline`.\n",
    ...schemaFiles().map(({ name, text }) => `\n-- ${name}\n\n${text}`),
  ].join("");

if (import.meta.main) {
  fs.writeFileSync(path.join(root, widgetRulesFile), widgetRulesSql());
  fs.writeFileSync(path.join(root, baselineFile), baselineSql());
}
