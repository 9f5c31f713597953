/**
 * Lowercase name with hyphens for spaces, same as private.tag_key: letter by letter, so "İ" is "i" and "Σ" is "σ" even at a word's end.
 * Source: specification, section 3.
 */
export const tagKey = (label: string): string => Array.from(label.trim(), small).join("").replace(/\s+/g, "-");

const small = (letter: string): string => String.fromCodePoint(letter.toLowerCase().codePointAt(0)!);
