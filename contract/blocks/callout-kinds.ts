import { alertOf, type CalloutKind, calloutKinds } from "./types/callout.ts";

/** Callout names of site generators (Docusaurus, VitePress, MkDocs, Starlight) and editors. */
const names: Readonly<Record<CalloutKind, string>> = {
  info: "note info important abstract summary example question seealso todo",
  tip: "tip hint success check done",
  warning: "warning caution attention",
  danger: "danger error failure bug",
};
const icons: Readonly<Record<CalloutKind, string>> = { info: "ℹ", tip: "💡 ✅", warning: "⚠ 🚧 ❗", danger: "🚨 ⛔ 🛑" };
const kindIn = (lists: Readonly<Record<CalloutKind, string>>, word: string): CalloutKind | null =>
  calloutKinds.find((kind) => lists[kind].split(" ").includes(word)) ?? null;

/** The kind of a callout by the name that a site generator gives it, null for any other word. */
export const calloutKindOf = (name: string): CalloutKind | null => kindIn(names, name.toLowerCase());

/** The kind of GitHub's alerts, whose CAUTION is the strongest; IMPORTANT has none of its own here. */
export const calloutKindOfAlert = (name: string): CalloutKind =>
  calloutKinds.find((kind) => alertOf[kind] === name.toUpperCase()) ?? "info";

const icon = /^\s*((?:\p{Extended_Pictographic}|\p{RI}{2})(?:\p{Emoji_Modifier}|\ufe0f|\u200d\p{Extended_Pictographic})*)\s*/u;

/** The icon that a callout of Notion begins with, and its kind; `isSaid`: the kind says the same. Null for a text without one. */
export function calloutIcon(text: string): { kind: CalloutKind; length: number; isSaid: boolean } | null {
  const [whole, sign = ""] = icon.exec(text) ?? [];
  if (whole === undefined) return null;
  const kind = kindIn(icons, sign.replace("\ufe0f", ""));
  return { kind: kind ?? "info", length: whole.length, isSaid: kind !== null };
}
