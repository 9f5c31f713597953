import fs from "node:fs";
import path from "node:path";
import { withLimits } from "./limits.ts";
import { widgetRulesFile, widgetRulesSql } from "./widget-rules.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** The one migration until 1.0.0. Its name stays: a folder with another text of it is refused (supabase/local/engine/migrate.ts). */
export const baselineFile = "supabase/migrations/20261127000000_baseline.sql";

/** The files of supabase/schemas in the order in which they apply, with the contract's limits. */
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

/** `npm run db:baseline`: generates the widget's rules and the baseline. */
if (import.meta.main) {
  fs.writeFileSync(path.join(root, widgetRulesFile), widgetRulesSql());
  fs.writeFileSync(path.join(root, baselineFile), baselineSql());
}
