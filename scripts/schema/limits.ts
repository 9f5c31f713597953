import * as appearance from "#contract/appearance-choices.ts";
import { blockLimits } from "#contract/blocks/limits.ts";
import * as comments from "#contract/comments.ts";
import * as domains from "#contract/domains.ts";
import * as imports from "#contract/imports.ts";
import * as limits from "#contract/limits.ts";
import * as previewLinks from "#contract/preview-links.ts";
import * as reports from "#contract/reports.ts";
import * as reviews from "#contract/reviews.ts";
import { figure } from "#contract/rules/figure.ts";
import { slugMaxLength } from "#contract/rules/slug.ts";
import * as subscribers from "#contract/subscribers.ts";
import * as templates from "#contract/templates.ts";
import * as webhooks from "#contract/webhooks.ts";

const modules = [appearance, comments, domains, imports, limits, previewLinks, reports, reviews, subscribers, templates, webhooks];
const numbers: Record<string, unknown> = {
  ...Object.assign({}, ...modules),
  slugMaxLength,
  ...Object.fromEntries(Object.entries(blockLimits).map(([name, value]) => [`blockLimits.${name}`, value])),
};

/** SQL with the contract's numbers: `{{titleMaxLength}}` becomes 119, `{{figure:commentMaxLength}}` 5,000. Throws if there's none. */
export const withLimits = (sql: string): string =>
  sql.replace(/\{\{(figure:)?([\w.]+)\}\}/g, (_, grouped: string | undefined, name: string) => {
    const value = numbers[name];
    if (typeof value !== "number") throw new Error(`The contract has no number ${name}`);
    return grouped ? figure(value) : String(value);
  });
