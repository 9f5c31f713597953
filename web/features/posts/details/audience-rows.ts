import { audienceTest } from "#contract/audience.ts";
import type { Audience, AudienceRule, AudienceTest, AttributeValue } from "#contract/rules/audience.ts";

export const operators = [
  ["eq", "is"],
  ["in", "is one of"],
  ["gte", "is at least"],
  ["starts", "starts with"],
  ["exists", "is set"],
  ["missing", "isn't set"],
] as const;
type Operator = (typeof operators)[number][0];

/** A condition as typed. */
export interface AudienceRow {
  attribute: string;
  operator: Operator;
  value: string;
}
export interface AudienceRows {
  match: "all" | "any";
  rows: AudienceRow[];
}

export const emptyRow: AudienceRow = { attribute: "", operator: "eq", value: "" };
export const hasValue = ({ operator }: AudienceRow): boolean => operator !== "exists" && operator !== "missing";

const isPlain = (text: string): boolean => text.trim() === text && !/^$|[",]|^(?:true|false)$/.test(text) && Number.isNaN(Number(text));

/** Numbers, true and false are such unless they are in quotes. */
function valueOf(text: string): AttributeValue {
  const plain = text.trim();
  if (/^".*"$/.test(plain)) return plain.slice(1, -1);
  if (plain === "true" || plain === "false") return plain === "true";
  return plain !== "" && Number.isFinite(Number(plain)) ? Number(plain) : plain;
}
const textOf = (value: AttributeValue): string => (typeof value === "string" && !isPlain(value) ? `"${value}"` : String(value));

function testOf({ attribute, operator, value }: AudienceRow): unknown {
  if (operator === "exists" || operator === "missing") return { attribute, exists: operator === "exists" };
  if (operator === "starts") return { attribute, starts: value };
  return { attribute, [operator]: operator === "in" ? value.split(",").map(valueOf) : valueOf(value) };
}

export function rowProblem(row: AudienceRow): { attribute?: string; value?: string } {
  const problems: { attribute?: string; value?: string } = {};
  if (hasValue(row) && row.value.split(row.operator === "in" ? "," : "\0").some((part) => part.trim() === ""))
    problems.value = "Please enter a value";
  for (const { path, message } of audienceTest.safeParse(testOf(row)).error?.issues ?? [])
    problems[path[0] === "attribute" ? "attribute" : "value"] ??= path.length > 0 ? message : "Please enter a number or a date";
  return problems;
}

/** Null unless all conditions are valid. */
export function ruleOf({ match, rows }: AudienceRows): AudienceRule | null {
  if (rows.some((row) => Object.keys(rowProblem(row)).length > 0)) return null;
  const tests = rows.map((row) => audienceTest.parse(testOf(row)) as AudienceTest);
  return tests.length === 1 ? tests[0]! : ({ [match]: tests } as { all: AudienceTest[] });
}

/** Null for a rule with groups inside. */
export function rowsOf(rule: AudienceRule): AudienceRows | null {
  const [match, parts] = "all" in rule ? ["all" as const, rule.all] : "any" in rule ? ["any" as const, rule.any] : ["all" as const, [rule]];
  const rows = parts.flatMap((part) => ("attribute" in part ? [rowOf(part)] : []));
  return rows.length === parts.length && rows.every((row) => Object.keys(rowProblem(row)).length === 0) ? { match, rows } : null;
}

function rowOf({ attribute, ...test }: AudienceTest): AudienceRow {
  if ("exists" in test) return { attribute, operator: test.exists ? "exists" : "missing", value: "" };
  if ("in" in test) return { attribute, operator: "in", value: test.in.map(textOf).join(", ") };
  if ("starts" in test) return { attribute, operator: "starts", value: test.starts };
  return "gte" in test ? { attribute, operator: "gte", value: textOf(test.gte) } : { attribute, operator: "eq", value: textOf(test.eq) };
}

/** Such as `plan is one of pro, team and seats is at least 10`. */
export function audienceWords(audience: Audience): string {
  if (audience === "internal") return "Team only";
  return `Readers whose ${ruleWords(audience)}`;
}

function ruleWords(rule: AudienceRule): string {
  if ("attribute" in rule) {
    const { attribute, operator, value } = rowOf(rule);
    return `${attribute} ${operators.find(([name]) => name === operator)![1]} ${value}`.trim();
  }
  const [parts, between] = "all" in rule ? [rule.all, " and "] : [rule.any, " or "];
  return (parts ?? []).map((part) => ("attribute" in part ? ruleWords(part) : `(${ruleWords(part)})`)).join(between);
}
