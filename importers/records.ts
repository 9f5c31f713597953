import { isObject } from "#contract/blocks/read.ts";
import { shorten } from "#contract/blocks/excerpt.ts";
import { escapeHtml } from "#contract/blocks/text.ts";
import { hasOrder, isoDate } from "./dates.ts";
import { ImportProblem, type SourceFile } from "./entry.ts";
import { beginning } from "./files/text.ts";
import { jsonValues, wordOf } from "./files/json.ts";
import { figure } from "#contract/rules/figure.ts";

export type Fields = Readonly<Record<string, unknown>>;
export const isFields: (value: unknown) => value is Fields = isObject;
export const fieldsIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

const deepest = 8;

export function textField(fields: Fields, ...names: string[]): string | null {
  for (const name of names) {
    const word = wordOf(fields[name]);
    if (word !== null && word.trim() !== "") return word;
  }
  return null;
}

export function namesIn(value: unknown): string[] {
  if (typeof value === "string") return value.split(";").map((name) => name.trim());
  if (!Array.isArray(value)) return [];
  return value
    .map((one) =>
      isFields(one)
        ? (textField(one, "name", "title", "label") ?? (isFields(one["label"]) ? textField(one["label"], "name") : null))
        : wordOf(one),
    )
    .filter((name): name is string => name !== null && name.trim() !== "");
}

/** ISO date. Unreadable ones stay for ./to-post.ts to report, ambiguous ones (03/04/2020) for ./finish.ts. Numbers are Unix times. */
export function dateOf(value: unknown): string | null {
  if (typeof value === "number" && Number.isFinite(value)) {
    const moment = new Date(Math.abs(value) < 100_000_000_000 ? value * 1_000 : value);
    return Number.isNaN(moment.getTime()) ? String(value) : moment.toISOString();
  }
  const given = wordOf(value)?.trim() ?? "";
  return given === "" ? null : hasOrder(given) ? given : (isoDate(given) ?? given);
}

export const isAhead = (date: string | null, now: Date): boolean => date !== null && Date.parse(date) > now.getTime();

export const plainAsHtml = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .split(/\n[ \t]*\n/)
    .filter((part) => part.trim() !== "")
    .map((part) => `<p>${escapeHtml(part.trim()).replaceAll("\n", "<br>")}</p>`)
    .join("\n");

export const looksLikeHtml = (text: string): boolean =>
  /<\/(?:p|div|h[1-6]|ul|ol|li|strong|em|b|i|a|span|table|blockquote|pre)\s*>|<(?:br|img|hr)\b[^>]*>/i.test(text);

export const addressesOf = (...values: unknown[]): string[] => [
  ...new Set(
    values
      .filter((value): value is string => typeof value === "string" && /^https?:\/\//i.test(value.trim()) && URL.canParse(value.trim()))
      .map((value) => value.trim()),
  ),
];

interface Wanted {
  product: string;
  isPost(fields: Fields): boolean;
  told: string;
}

/** Finds posts anywhere in JSON responses: a list, a page, edges and nodes. Throws with the missing field if there are none. */
export function postsIn(files: readonly SourceFile[], { product, isPost, told }: Wanted): { posts: Fields[]; notes: string[] } {
  const posts: Fields[] = [];
  const notes: string[] = [];
  let emptyLists = 0;
  const fields = new Set<string>();

  const look = (value: unknown, depth: number): void => {
    if (depth > deepest) return;
    if (Array.isArray(value)) {
      if (value.length === 0) emptyLists++;
      const objects = fieldsIn(value);
      if (objects.some(isPost)) posts.push(...objects);
      else for (const object of objects.slice(0, 1_000)) look(object, depth + 1);
    } else if (isFields(value)) {
      if (isPost(value)) posts.push(value);
      else {
        for (const [name, inner] of Object.entries(value)) {
          if (fields.size < 12) fields.add(name);
          if (typeof inner === "object") look(inner, depth + 1);
        }
      }
    }
  };
  for (const file of files) {
    const { values, note } = jsonValues(file);
    if (note !== null) notes.push(note);
    for (const value of values) {
      const refusal = isFields(value) ? refusalOf(value) : null;
      if (refusal !== null) throw new ImportProblem(`${product} responded: ${refusal}`);
      look(value, 0);
    }
  }
  if (posts.length === 0 && emptyLists > 0) return { posts, notes: [...notes, `${product} holds no posts`] };
  if (posts.length === 0) {
    const fieldNames = fields.size === 0 ? "" : `; it has ${[...fields].map((name) => `“${name.slice(0, 40)}”`).join(", ")}`;
    throw new ImportProblem(`This isn't a response of ${product}: no object has the field ${told}${fieldNames}`);
  }
  return { posts, notes };
}

function refusalOf(value: Fields): string | null {
  const [first] = fieldsIn(value["errors"]);
  const message = typeof value["error"] === "string" ? value["error"] : first === undefined ? null : textField(first, "message");
  return message === null ? null : message.slice(0, 200);
}

/** Cheap detection by field names in the first kilobytes. */
export function namesFields(files: readonly SourceFile[], ...names: string[]): boolean {
  const [first] = files;
  if (first === undefined) return false;
  const text = beginning(first, 65_536);
  return /^\s*[[{]/.test(text) && names.every((name) => text.includes(`"${name}"`));
}

const namedPosts = 3;

export class Missing {
  readonly #lacking = new Map<string, string[]>();

  of(field: string, post = ""): void {
    const missingPosts = this.#lacking.get(field);
    if (missingPosts === undefined) this.#lacking.set(field, [post]);
    else missingPosts.push(post);
  }

  notes(product: string): string[] {
    return [...this.#lacking].map(([field, posts]) => {
      const names = posts.filter(Boolean).slice(0, namedPosts);
      const list = names.map((name) => `“${shorten(name, 60)}”`).join(", ");
      const which = names.length === 0 ? "" : `: ${list}${posts.length > names.length ? " …" : ""}`;
      const who = posts.length === 1 ? `A post of ${product} has` : `${figure(posts.length)} posts of ${product} have`;
      return `${who} no field “${field}”${which}`;
    });
  }
}
