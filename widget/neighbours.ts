export interface Neighbour {
  readonly button: boolean;
  isOpen(): boolean;
  close(): void;
  place(nth: number, all: number): void;
}

const corners: Record<string, Neighbour[]> = {};

export const cornerOf = (position: string): Neighbour[] => (corners[position] ??= []);

export function arrange(corner: Neighbour[]): void {
  const buttons = corner.filter(({ button }) => button);
  corner.forEach((one) => one.place(buttons.indexOf(one), buttons.length));
}
