import * as appearance from "#contract/appearance-choices.ts";
import { blockLimits } from "#contract/blocks/limits.ts";
import * as imports from "#contract/imports.ts";
import * as limits from "#contract/limits.ts";
import { noteMaxLength } from "#contract/reviews.ts";
import { figure } from "#contract/rules/figure.ts";
import { slugMaxLength } from "#contract/rules/slug.ts";
import { webhookNameMaxLength, webhookUrlMaxLength } from "#contract/webhooks.ts";

const numbers: Record<string, unknown> = {
  ...limits,
  ...appearance,
  ...imports,
  ...{ noteMaxLength, slugMaxLength, webhookNameMaxLength, webhookUrlMaxLength },
  ...Object.fromEntries(Object.entries(blockLimits).map(([name, value]) => [`blockLimits.${name}`, value])),
};

/** SQL with the contract's numbers: `{{titleMaxLength}}` becomes 119, `{{figure:commentMaxLength}}` 5,000. Throws where the contract has no such number. */
export const withLimits = (sql: string): string =>
  sql.replace(/\{\{(figure:)?([\w.]+)\}\}/g, (_, grouped: string | undefined, name: string) => {
    const value = numbers[name];
    if (typeof value !== "number") throw new Error(`The contract has no number ${name}`);
    return grouped ? figure(value) : String(value);
  });
