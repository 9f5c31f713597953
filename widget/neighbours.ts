/** A widget of the page, as the others in its corner see it. */
export interface Neighbour {
  /** Whether it has a button of its own. */
  readonly button: boolean;
  isOpen(): boolean;
  close(): void;
  /** Its button is the `nth` of `all`, counted from the edge. */
  place(nth: number, all: number): void;
}

const corners: Record<string, Neighbour[]> = {};

/** The widgets at one position, in the order in which they appeared. */
export const cornerOf = (position: string): Neighbour[] => (corners[position] ??= []);

/** Buttons of one corner stand one behind the other, panels behind them all. */
export function arrange(corner: Neighbour[]): void {
  const buttons = corner.filter(({ button }) => button);
  corner.forEach((one) => one.place(buttons.indexOf(one), buttons.length));
}
