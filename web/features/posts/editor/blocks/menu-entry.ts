/** What the menu of "/" offers, and what another block can be turned into. */
export interface MenuEntry {
  title: string;
  icon: string;
  /** Other words that find it, with blanks between them. */
  words: string;
  /** What sets it apart from the others of its type: stays when another block is turned into it. */
  data: object;
  /** What a new one begins with, where that is more. */
  begins?: object;
  /** What can be typed instead. */
  hint?: string;
}

/** An icon of lines, 24 by 24. */
export const icon = (parts: string): string =>
  `<svg width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round">${parts}</svg>`;
