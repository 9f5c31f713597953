/** Lowercase name with hyphens for spaces, as private.tag_key: letter by letter, so "Σ" is "σ" even at a word's end. */
export const tagKey = (label: string): string => Array.from(label.trim(), small).join("").replace(/\s+/g, "-");

const small = (letter: string): string => String.fromCodePoint(letter.toLowerCase().codePointAt(0)!);
