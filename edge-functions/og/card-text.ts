import { canWrite } from "./typefaces.ts";

/** What a picture of letters says in signs that no typeface of ours has; "1️⃣" is a 1 then. */
const pictograph = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|[\u{fe0e}\u{fe0f}\u{20e3}]|[\u{e0020}-\u{e007f}]/gu;
/** Marks that say in which direction to go on, and the like: they are no letters. That which keeps two letters of Persian apart stays. */
const unseen = /(?!\u{200c})\p{Cf}/gu;

/** Vowels and accents of Arabic and Hebrew, which texts mostly do without; satori would put them in the wrong place. */
const vowels = /[\u{591}-\u{5bd}\u{5bf}\u{5c1}-\u{5c2}\u{5c4}-\u{5c5}\u{5c7}\u{610}-\u{61a}\u{64b}-\u{652}\u{670}]/gu;

/**
 * A text as a card can say it: in one line of plain characters, without emoji. Null where anything else is left that cannot be drawn, such as
 * Chinese or Japanese: then the card goes without it.
 */
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

/** As `dir="auto"`: the first letter decides. */
export const directionOf = (text: string): "ltr" | "rtl" => (strong.exec(text)?.groups?.rtl === undefined ? "ltr" : "rtl");

const wide = /[MWm@%—…]|[\p{Lu}]/u;
const narrow = /[ijlIftr.,:;'!| -]/u;

/** About how wide a text is, in heights of its letters. */
export const widthOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + (narrow.test(character) ? 0.34 : wide.test(character) ? 0.78 : 0.58), 0);
