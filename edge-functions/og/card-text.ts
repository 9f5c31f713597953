import { canWrite } from "./typefaces.ts";

/** Emoji without a glyph in our fonts; "1️⃣" becomes 1. */
const pictograph = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|[\u{fe0e}\u{fe0f}\u{20e3}]|[\u{e0020}-\u{e007f}]/gu;
/** Invisible format characters, except the zero-width non-joiner of Persian. */
const unseen = /(?!\u{200c})\p{Cf}/gu;

const vowels = /[\u{591}-\u{5bd}\u{5bf}\u{5c1}-\u{5c2}\u{5c4}-\u{5c5}\u{5c7}\u{610}-\u{61a}\u{64b}-\u{652}\u{670}]/gu;

export function wordsOn(text: string): string | null {
  const plain = text
    .normalize("NFC")
    .replace(pictograph, (sign) => (canWrite(sign) ? sign : ""))
    .replace(unseen, "")
    .replace(vowels, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return /[\p{L}\p{N}]/u.test(plain) && !/\p{M}/u.test(plain) && canWrite(plain) ? plain : null;
}

const strong = /(?<rtl>[\p{Script=Hebrew}\p{Script=Arabic}])|\p{L}/u;

export const directionOf = (text: string): "ltr" | "rtl" => (strong.exec(text)?.groups?.rtl === undefined ? "ltr" : "rtl");

const wide = /[MWm@%—…]|[\p{Lu}]/u;
const narrow = /[ijlIftr.,:;'!| -]/u;

export const widthOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + (narrow.test(character) ? 0.34 : wide.test(character) ? 0.78 : 0.58), 0);
