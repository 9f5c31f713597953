export interface BlockWords {
  table: string;
  done: string;
  open: string;
  info: string;
  tip: string;
  warning: string;
  danger: string;
  watchOn(place: string): string;
}

export const englishBlockWords: BlockWords = {
  table: "Table",
  done: "Done",
  open: "Open",
  info: "Info",
  tip: "Tip",
  warning: "Warning",
  danger: "Danger",
  watchOn: (place) => `Watch on ${place}`,
};
