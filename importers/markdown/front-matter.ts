import { parse as parseToml, TomlDate } from "smol-toml";
import { parseDocument } from "yaml";
import { asObject, isObject, type Unknown } from "#contract/blocks/read.ts";
import { textOf, wordOf } from "../files/json.ts";

/** Front matter with normalised names: lowercase, without `-` and `_`. */
export type Facts = ReadonlyMap<string, unknown>;

export interface FrontMatter {
  facts: Facts;
  text: string;
  /** Parse error; the front matter stays in the text. */
  problem: string | null;
}

const maxLength = 100_000;
/** Prevents YAML alias bombs. */
const maxAliasCount = 50;

const keyOf = (name: string): string => name.toLowerCase().replace(/[-_ ]/g, "");

function plain(value: unknown): unknown {
  if (value instanceof TomlDate) return value.toISOString();
  return value instanceof Date ? (Number.isNaN(value.getTime()) ? null : value.toISOString()) : value;
}

function factsOf(object: Unknown): Facts {
  return new Map(Object.entries(object).map(([name, value]) => [keyOf(name), plain(value)]));
}

function yamlOf(source: string): { value: unknown; problem: boolean } {
  try {
    const document = parseDocument(source, { uniqueKeys: false, logLevel: "silent", stringKeys: false });
    if (document.errors.length > 0) return { value: null, problem: true };
    return { value: document.toJS({ maxAliasCount }), problem: false };
  } catch {
    return { value: null, problem: true };
  }
}

function tomlOf(source: string): { value: unknown; problem: boolean } {
  try {
    return { value: parseToml(source), problem: false };
  } catch {
    return { value: null, problem: true };
  }
}

/** YAML (Jekyll, Hugo, ours) or TOML (Hugo). */
export function frontMatterOf(file: string): FrontMatter {
  const none = { facts: new Map(), text: file, problem: null };
  const sign = /^(---|\+\+\+)[ \t]*\n/.exec(file);
  if (sign === null) return none;
  const [opening, mark] = sign as unknown as [string, string];
  const closing = new RegExp(`^(?:${mark === "---" ? "---|\\.\\.\\." : "\\+\\+\\+"})[ \\t]*$`, "m");
  const rest = file.slice(opening.length, opening.length + maxLength);
  const end = closing.exec(rest);
  if (end === null) return none;
  const source = rest.slice(0, end.index);
  const text = file.slice(opening.length + end.index + end[0].length).replace(/^\n+/, "");
  if (source.trim() === "") return mark === "+++" ? { ...none, text } : none;
  const { value, problem } = mark === "---" ? yamlOf(source) : tomlOf(source);
  if (isObject(value)) return { facts: factsOf(value), text, problem: null };
  // Reports broken front matter, but not a horizontal rule.
  const looksSo = /^[\w-]+[ \t]*[:=]/.test(source);
  return problem && looksSo ? { ...none, problem: "Its front matter can't be read, so it stays in the text" } : none;
}

export function fact(facts: Facts, ...names: string[]): unknown {
  for (const name of names) {
    const value = facts.get(name);
    if (value !== undefined && value !== null && value !== "") return value;
  }
  return null;
}

export const factWord = (facts: Facts, ...names: string[]): string | null => wordOf(fact(facts, ...names))?.trim() || null;

export function namesFrom(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((one: unknown) => wordOf(one) ?? textOf(asObject(one)["name"]) ?? []);
  const words = wordOf(value);
  return words === null ? [] : words.split(",").map((word) => word.trim());
}
