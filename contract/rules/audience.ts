export type AttributeValue = string | number | boolean;

/** One condition. `gte` compares numbers, or text in code-unit order, such as ISO dates. */
export type AudienceTest =
  | { attribute: string; eq: AttributeValue }
  | { attribute: string; in: AttributeValue[] }
  | { attribute: string; gte: number | string }
  | { attribute: string; exists: boolean }
  | { attribute: string; starts: string };

export type AudienceRule = AudienceTest | { all: AudienceRule[] } | { any: AudienceRule[] };

/** `internal`: the team alone. */
export type Audience = AudienceRule | "internal";

const keys = ["all", "any", "attribute", "eq", "in", "gte", "exists", "starts"];

/** Parses a stored audience (any JSON): in one order, because Postgres has its own. Invalid ones stay, as rules that match no one. */
export const readAudience = (stored: unknown): Audience | null => JSON.parse(JSON.stringify(stored ?? null, keys)) as Audience | null;

/** As front matter has it. */
export const audienceText = (audience: Audience): string => (audience === "internal" ? audience : JSON.stringify(audience));

/** Of a reader's token. Null counts as absent. */
export type Attributes = Readonly<Record<string, AttributeValue | null>>;

/** True if a reader with these attributes is in the audience. Invalid rules match no one. */
export function isInAudience(rule: unknown, attributes: Attributes): boolean {
  if (typeof rule !== "object" || rule === null) return false;
  const { attribute, all, any, ...test } = rule as Record<string, unknown>;
  if (Array.isArray(all)) return all.length > 0 && all.every((one) => isInAudience(one, attributes));
  if (Array.isArray(any)) return any.some((one) => isInAudience(one, attributes));
  if (typeof attribute !== "string") return false;
  const value = Object.hasOwn(attributes, attribute) ? attributes[attribute]! : null;
  if ("exists" in test) return (value !== null) === test["exists"];
  if (value === null) return false;
  if ("eq" in test) return value === test["eq"];
  if (Array.isArray(test["in"])) return test["in"].includes(value);
  if (typeof test["starts"] === "string") return typeof value === "string" && value.startsWith(test["starts"]);
  const least = test["gte"] as AttributeValue;
  return typeof least === typeof value && typeof value !== "boolean" && value >= least;
}

const partsOf = (rule: AudienceRule): AudienceRule[] | null => ("all" in rule ? rule.all : "any" in rule ? rule.any : null);

/** The conditions of a rule, without their groups. */
export const testsOf = (rule: AudienceRule): AudienceTest[] => partsOf(rule)?.flatMap(testsOf) ?? [rule as AudienceTest];
