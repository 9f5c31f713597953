/** An entry of the "/" menu and of "Turn into". */
export interface MenuEntry {
  title: string;
  icon: string;
  words: string;
  /** Data that distinguishes entries of one type; kept when another block is turned into it. */
  data: object;
  initialData?: object;
  hint?: string;
}

export const icon = (parts: string): string =>
  `<svg width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round">${parts}</svg>`;
