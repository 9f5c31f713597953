/** An entry of the "/" menu and of "Turn into". */
export interface MenuEntry {
  title: string;
  icon: string;
  /** Search keywords, separated by spaces. */
  words: string;
  /** Data that distinguishes entries of one type; kept when another block is turned into it. */
  data: object;
  /** Initial data of a new block, if more than `data`. */
  initialData?: object;
  /** The Markdown marker, shown as a hint. */
  hint?: string;
}

/** A 24 × 24 line icon. */
export const icon = (parts: string): string =>
  `<svg width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round">${parts}</svg>`;
