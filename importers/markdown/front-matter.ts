import { parse as parseToml, TomlDate } from "smol-toml";
import { parseDocument } from "yaml";
import { asObject, isObject, type Unknown } from "#contract/blocks/read.ts";
import { textOf, wordOf } from "../files/json.ts";

/** What stands above a post's text, by names in small letters without `-` and `_`. */
export type Facts = ReadonlyMap<string, unknown>;

export interface FrontMatter {
  facts: Facts;
  text: string;
  /** Why it could not be read, a sentence; it is part of the text then. */
  problem: string | null;
}

const maxLength = 100_000;
/** References to earlier parts that are followed: a few lines of them can stand for gigabytes. */
const maxAliasCount = 50;

const keyOf = (name: string): string => name.toLowerCase().replace(/[-_ ]/g, "");

/** TOML's and YAML's times as words, as JSON has them. */
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

/** What tools write before a text, as YAML (Jekyll, Hugo and ourselves) or TOML (Hugo), and the text. */
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
  // A line across with a paragraph below is none; what looks like facts and is broken is told.
  const looksSo = /^[\w-]+[ \t]*[:=]/.test(source);
  return problem && looksSo
    ? { ...none, problem: "What stands above its text (front matter) cannot be read, and stands in the text" }
    : none;
}

/** A fact by the first of several names that has one. */
export function fact(facts: Facts, ...names: string[]): unknown {
  for (const name of names) {
    const value = facts.get(name);
    if (value !== undefined && value !== null && value !== "") return value;
  }
  return null;
}

export const factWord = (facts: Facts, ...names: string[]): string | null => wordOf(fact(facts, ...names))?.trim() || null;

/** Names as a list, or as a line with commas. */
export function namesFrom(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((one: unknown) => wordOf(one) ?? textOf(asObject(one)["name"]) ?? []);
  const words = wordOf(value);
  return words === null ? [] : words.split(",").map((word) => word.trim());
}
