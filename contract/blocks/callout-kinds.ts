import { alertOf, type CalloutKind, calloutKinds } from "./types/callout.ts";

/** Names used by site generators (Docusaurus, VitePress, MkDocs, Starlight) and editors. */
const names: Readonly<Record<CalloutKind, string>> = {
  info: "note info important abstract summary example question seealso todo",
  tip: "tip hint success check done",
  warning: "warning caution attention",
  danger: "danger error failure bug",
};
const icons: Readonly<Record<CalloutKind, string>> = { info: "ℹ", tip: "💡 ✅", warning: "⚠ 🚧 ❗", danger: "🚨 ⛔ 🛑" };
const kindIn = (lists: Readonly<Record<CalloutKind, string>>, word: string): CalloutKind | null =>
  calloutKinds.find((kind) => lists[kind].split(" ").includes(word)) ?? null;

export const calloutKindOf = (name: string): CalloutKind | null => kindIn(names, name.toLowerCase());

/** GitHub's strongest alert is CAUTION; IMPORTANT maps to info. */
export const calloutKindOfAlert = (name: string): CalloutKind =>
  calloutKinds.find((kind) => alertOf[kind] === name.toUpperCase()) ?? "info";

const icon = /^\s*((?:\p{Extended_Pictographic}|\p{RI}{2})(?:\p{Emoji_Modifier}|\ufe0f|\u200d\p{Extended_Pictographic})*)\s*/u;

/** Notion's leading callout icon and its kind, null without one; `isSaid`: the kind expresses the icon exactly. */
export function calloutIcon(text: string): { kind: CalloutKind; length: number; isSaid: boolean } | null {
  const [whole, sign = ""] = icon.exec(text) ?? [];
  if (whole === undefined) return null;
  const kind = kindIn(icons, sign.replace("\ufe0f", ""));
  return { kind: kind ?? "info", length: whole.length, isSaid: kind !== null };
}
