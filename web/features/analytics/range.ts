import { analyticsRange, analyticsUsualDays, type DayRange as Range, daysIn, lastDays } from "#contract/analytics.ts";

export { lastDays, type Range };

/** The last so many days; the last one that is offered is twelve months. */
export const presets = [7, 30, 90, 365] as const;
export type RangeChoice = (typeof presets)[number] | "own";
const usual = analyticsUsualDays;

export interface View {
  choice: RangeChoice;
  /** As it stands in the address, also when it is no range. */
  typed: Range;
  /** Null: what is typed is no range. */
  range: Range | null;
}

const dayMs = 86_400_000;
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
export const addDays = (day: string, days: number): string => dayOf(Date.parse(day) + days * dayMs);

/** As many days right before. */
export function daysBefore({ from, to }: Range): Range {
  const days = daysIn(from, to);
  return { from: addDays(from, -days), to: addDays(to, -days) };
}

/** What an address asks for: `?from=…&to=…`, `?range=90`, or nothing, which is the last 30 days. */
export function readView(address: URLSearchParams, today: string): View {
  if (address.has("from") || address.has("to")) {
    const typed = { from: address.get("from") ?? "", to: address.get("to") ?? "" };
    return { choice: "own", typed, range: Object.keys(rangeErrors(typed)).length === 0 ? typed : null };
  }
  const choice = presets.find((days) => String(days) === address.get("range")) ?? usual;
  const range = lastDays(choice, today);
  return { choice, typed: range, range };
}

/** The address of a choice; what else stands in it stays. */
export function writeView(address: URLSearchParams, chosen: Range | (typeof presets)[number]): URLSearchParams {
  const next = new URLSearchParams(address);
  for (const name of ["from", "to", "range"]) next.delete(name);
  if (typeof chosen === "object") {
    next.set("from", chosen.from);
    next.set("to", chosen.to);
  } else if (chosen !== usual) next.set("range", String(chosen));
  return next;
}

/** What is wrong with two typed days, by field, in the contract's words. */
export function rangeErrors(typed: Range): Partial<Record<keyof Range, string>> {
  const result = analyticsRange.safeParse(typed);
  const errors: Partial<Record<keyof Range, string>> = {};
  for (const { path, message } of result.error?.issues ?? []) errors[path[0] as keyof Range] ??= message;
  return errors;
}
