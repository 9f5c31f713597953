/** A text as the database keeps a line of it: blanks and line ends collapsed, none at the ends. */
export const lineOf = (text: string): string => text.replace(/\s+/g, " ").trim();
