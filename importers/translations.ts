import { type Fields, textField } from "./records.ts";

const isEnglish = (language: string | null): boolean => /^en(?:[-_]|$|glish)/i.test(language ?? "");
const hasWords = (text: Fields): boolean => textField(text, "title", "body", "content", "contentHtml", "headline") !== null;

/** Of a post in several languages the text that comes along: English, else the first. Ours have one. */
export function bestText(texts: readonly Fields[], field: string): Fields | null {
  const full = texts.filter(hasWords);
  return full.find((text) => isEnglish(textField(text, field))) ?? full[0] ?? texts[0] ?? null;
}

/** The languages that stay behind, in a sentence. */
export function otherLanguages(texts: readonly Fields[], best: Fields, field: string): string[] {
  const others = [
    ...new Set(texts.filter((text) => text !== best && hasWords(text)).map((text) => textField(text, field) ?? "another language")),
  ];
  return others.length === 0 ? [] : [`Its text in other languages stays behind: ${others.slice(0, 10).join(", ")}`];
}
