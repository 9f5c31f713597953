import { blockId } from "#contract/blocks/limits.ts";
import { commentMaxLength, fullNameMaxLength } from "#contract/limits.ts";
import { isSeen } from "#contract/rules/is-seen.ts";
import { wordsIn, type Words } from "#contract/i18n/index.ts";

export interface Typed {
  name: string;
  text: string;
  block: string;
}
export const nothingTyped: Typed = { name: "", text: "", block: "" };

export function typedIn(form: FormData): { typed: Typed; isMachine: boolean } {
  const text = (name: string): string => {
    const value = form.get(name);
    // Forms send CRLF; Postgres can't store NUL.
    return typeof value === "string" ? value.replaceAll("\r\n", "\n").replaceAll("\0", "") : "";
  };
  const block = text("block");
  return { typed: { name: text("name"), text: text("text"), block: blockId.test(block) ? block : "" }, isMachine: text("website") !== "" };
}

export interface Faults {
  name?: string;
  text?: string;
}

const lengthOf = (text: string): number => (isSeen(text) ? [...text.trim()].length : 0);

export function faultsOf({ name, text }: Typed, words: Words["preview"] = wordsIn("en").preview): Faults | null {
  const [called, length] = [lengthOf(name), lengthOf(text)];
  const faults: Faults = {
    ...(called === 0 && { name: words.needsName }),
    ...(called > fullNameMaxLength && { name: words.longName(fullNameMaxLength) }),
    ...(length === 0 && { text: words.needsText }),
    ...(length > commentMaxLength && { text: words.longText(length, commentMaxLength) }),
  };
  return Object.keys(faults).length === 0 ? null : faults;
}

/** CSRF by Sec-Fetch-Site: under no-referrer browsers send Origin "null". Old browsers are accepted: the token is required anyway. */
export function comesFromHere(headers: Headers): boolean {
  const from = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  return from === null ? origin === null || origin === "null" : from === "same-origin";
}
