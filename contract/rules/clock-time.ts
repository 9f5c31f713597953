export function clockTime(text: string): string | null {
  const [, hours, minutes = "0"] = /^\s*(\d{1,2}?)(?:[:.h ]?(\d{2}))?\s*$/.exec(text) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return null;
  return `${hours.padStart(2, "0")}:${minutes.padStart(2, "0")}`;
}
