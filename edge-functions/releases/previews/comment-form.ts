import { blockId } from "#contract/blocks/limits.ts";
import { commentMaxLength, fullNameMaxLength } from "#contract/limits.ts";
import { isSeen } from "#contract/rules/is-seen.ts";
import { wordsIn, type Words } from "#contract/i18n/index.ts";

/** What was typed, to be shown again. */
export interface Typed {
  name: string;
  text: string;
  /** A block's id; "" for the whole post. */
  block: string;
}
export const nothingTyped: Typed = { name: "", text: "", block: "" };

export function typedIn(form: FormData): { typed: Typed; isMachine: boolean } {
  const text = (name: string): string => {
    const value = form.get(name);
    // Forms send lines with both signs; Postgres holds no NUL.
    return typeof value === "string" ? value.replaceAll("\r\n", "\n").replaceAll("\0", "") : "";
  };
  const block = text("block");
  // A field that no person sees: what fills it in fills in everything.
  return { typed: { name: text("name"), text: text("text"), block: blockId.test(block) ? block : "" }, isMachine: text("website") !== "" };
}

/** Why a comment is not taken, at its field. */
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

/**
 * Whether a form was sent by a page of the same host. Under no-referrer a browser names its own pages "null" in Origin, so what decides is what it
 * says of where the request comes from; one too old to say so is let through, for it must have the token.
 */
export function comesFromHere(headers: Headers): boolean {
  const from = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  return from === null ? origin === null || origin === "null" : from === "same-origin";
}
