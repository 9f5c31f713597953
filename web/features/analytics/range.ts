import { analyticsRange, analyticsUsualDays, type DayRange as Range, daysIn, lastDays } from "#contract/analytics.ts";

export { lastDays, type Range };

/** Preset lengths in days. */
export const presets = [7, 30, 90, 365] as const;
export type RangeChoice = (typeof presets)[number] | "own";
const defaultDays = analyticsUsualDays;

export interface View {
  choice: RangeChoice;
  /** As in the URL, even if invalid. */
  typed: Range;
  /** Null if invalid. */
  range: Range | null;
}

const dayMs = 86_400_000;
export const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10);
export const addDays = (day: string, days: number): string => toDay(Date.parse(day) + days * dayMs);

/** The previous period of the same length. */
export function previousRange({ from, to }: Range): Range {
  const days = daysIn(from, to);
  return { from: addDays(from, -days), to: addDays(to, -days) };
}

/** Reads `?from=…&to=…` or `?range=90`; default: the last 30 days. */
export function readView(address: URLSearchParams, today: string): View {
  if (address.has("from") || address.has("to")) {
    const typed = { from: address.get("from") ?? "", to: address.get("to") ?? "" };
    return { choice: "own", typed, range: Object.keys(rangeErrors(typed)).length === 0 ? typed : null };
  }
  const choice = presets.find((days) => String(days) === address.get("range")) ?? defaultDays;
  const range = lastDays(choice, today);
  return { choice, typed: range, range };
}

/** Writes a range to the URL, keeping other parameters. */
export function writeView(address: URLSearchParams, chosen: Range | (typeof presets)[number]): URLSearchParams {
  const next = new URLSearchParams(address);
  for (const name of ["from", "to", "range"]) next.delete(name);
  if (typeof chosen === "object") {
    next.set("from", chosen.from);
    next.set("to", chosen.to);
  } else if (chosen !== defaultDays) next.set("range", String(chosen));
  return next;
}

/** Validation messages of the contract, by field. */
export function rangeErrors(typed: Range): Partial<Record<keyof Range, string>> {
  const result = analyticsRange.safeParse(typed);
  const errors: Partial<Record<keyof Range, string>> = {};
  for (const { path, message } of result.error?.issues ?? []) errors[path[0] as keyof Range] ??= message;
  return errors;
}
