/**
 * What posts carry of a tag: its name in small letters with hyphens for blanks. The database makes keys the same way (private.tag_key), each letter by
 * itself: "İ" is "i", and "Σ" is "σ" also at a word's end. Source: specification, section 3.
 */
export const tagKey = (label: string): string => Array.from(label.trim(), small).join("").replace(/\s+/g, "-");

const small = (letter: string): string => String.fromCodePoint(letter.toLowerCase().codePointAt(0)!);
