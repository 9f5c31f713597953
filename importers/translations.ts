import { type Fields, textField } from "./records.ts";

const isEnglish = (language: string | null): boolean => /^en(?:[-_]|$|glish)/i.test(language ?? "");
const hasWords = (text: Fields): boolean => textField(text, "title", "body", "content", "contentHtml", "headline") !== null;

/** English, else the first language; a post here has one. */
export function bestText(texts: readonly Fields[], field: string): Fields | null {
  const full = texts.filter(hasWords);
  return full.find((text) => isEnglish(textField(text, field))) ?? full[0] ?? texts[0] ?? null;
}

export function otherLanguages(texts: readonly Fields[], best: Fields, field: string): string[] {
  const others = [
    ...new Set(texts.filter((text) => text !== best && hasWords(text)).map((text) => textField(text, field) ?? "another language")),
  ];
  return others.length === 0 ? [] : [`Its text in other languages wasn't imported: ${others.slice(0, 10).join(", ")}`];
}
