const monthNames = Array.from({ length: 12 }, (_, month) => new Date(2000, month).toLocaleString("en", { month: "long" }).toLowerCase());
const shortNames: Readonly<Record<string, number>> = { sept: 8 };

function monthOf(name: string): number | null {
  const lower = name.toLowerCase();
  const at = monthNames.findIndex((month) => month === lower || month.slice(0, 3) === lower);
  return at === -1 ? (shortNames[lower] ?? null) : at;
}

function day(year: number, month: number, date: number): number | null {
  const moment = new Date(Date.UTC(2000, month, date));
  moment.setUTCFullYear(year, month, date);
  return moment.getUTCFullYear() === year && moment.getUTCMonth() === month && moment.getUTCDate() === date ? moment.getTime() : null;
}

const zoneHours: Readonly<Record<string, number>> = { est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7 };

const time =
  /^(?:[T,]|\s+at\b|\s)\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:\s*([ap])\.?m\.?)?(?:\s*(Z|UTC?|GMT|[ECMP][SD]T|[+-]\d{2}(?::?\d{2})?))?$/i;

/** Milliseconds; UTC without a zone; null if invalid. */
function timeOf(text: string): number | null {
  if (text.trim() === "") return 0;
  const match = time.exec(text.trimEnd());
  if (match === null) return null;
  const [, hour = "", minute = "", second = "0", fraction = "", half, zone = "Z"] = match;
  let hours = Number(hour);
  if (half !== undefined && (hours < 1 || hours > 12)) return null;
  if (half !== undefined) hours = (hours % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  if (hours > 24 || Number(minute) > 59 || Number(second) > 60) return null;
  const offset = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  const sign = offset?.[1] === "-" ? -1 : 1;
  const shift = offset === null ? (zoneHours[zone.toLowerCase()] ?? 0) * 60 : sign * (Number(offset[2]) * 60 + Number(offset[3] ?? 0));
  return ((hours * 60 + Number(minute) - shift) * 60 + Number(second)) * 1_000 + Number(fraction.padEnd(3, "0").slice(0, 3));
}

export type DateOrder = "day first" | "month first";

/** Two-digit years are 1970 to 2069. */
function yearOf(digits: string | undefined): number {
  const year = Number(digits?.replace(/^['’]/, ""));
  return year >= 100 ? year : year + (year < 70 ? 2_000 : 1_900);
}

const eitherWay = /^(\d{1,2})(?:(\/)(\d{1,2})\/(\d{4}|\d{2})|(-)(\d{1,2})-(\d{4}))(?!\d)/;

function numbersOf(text: string): { first: number; second: number; year: number } | null {
  const match = eitherWay.exec(text);
  if (match === null) return null;
  const [, first, , second, year, , dashed, dashedYear] = match;
  return { first: Number(first), second: Number(second ?? dashed), year: yearOf(year ?? dashedYear) };
}

/** True if the order is ambiguous, as in 03/04/2020. */
export const hasOrder = (text: string): boolean => eitherWay.test(text.trim());

function dayEitherWay(text: string, order: DateOrder | null): number | null {
  const { first, second, year } = numbersOf(text)!;
  if (first > 12 || first === second) return day(year, second - 1, first);
  if (second > 12) return day(year, first - 1, second);
  if (order === null) return null;
  return order === "day first" ? day(year, second - 1, first) : day(year, first - 1, second);
}

/** Day/month order of dates in sequence: by a number above 12, else by fewer dates out of sequence. null if neither decides. */
export function orderOf(dates: readonly string[]): DateOrder | null {
  const numbers = dates.flatMap((date) => numbersOf(date.trim()) ?? []);
  if (numbers.length === 0) return null;
  const isDayFirst = numbers.some(({ first, second }) => first > 12 && second <= 12);
  const isMonthFirst = numbers.some(({ first, second }) => second > 12 && first <= 12);
  if (isDayFirst !== isMonthFirst) return isDayFirst ? "day first" : "month first";
  if (isDayFirst) return null;
  const turns = (order: DateOrder): number => {
    const moments = dates.flatMap((date) => momentOf(date, order) ?? []);
    const steps = moments.slice(1).map((moment, at) => Math.sign(moment - moments[at]!));
    return Math.min(steps.filter((one) => one > 0).length, steps.filter((one) => one < 0).length);
  };
  const [dayFirst, monthFirst] = [turns("day first"), turns("month first")];
  return dayFirst === monthFirst ? null : dayFirst < monthFirst ? "day first" : "month first";
}

const forms: readonly [RegExp, (parts: readonly string[], order: DateOrder | null) => number | null][] = [
  // 2020-01-31, 2020/1/31, 2020.01.31
  [/^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/, ([, year, , month, date]) => day(Number(year), Number(month) - 1, Number(date))],
  // 20200131
  [/^(\d{4})(\d{2})(\d{2})(?!\d)/, ([, year, month, date]) => day(Number(year), Number(month) - 1, Number(date))],
  // 31.01.2020, 31.01.20
  [/^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})(?!\d)/, ([, date, month, year]) => day(yearOf(year), Number(month) - 1, Number(date))],
  // 31/12/2020 and 12/31/2020, 31/12/20; 03/04/2020 where the order is known
  [eitherWay, ([text = ""], order) => dayEitherWay(text, order)],
  // 31 January 2020, 31st of Jan. 2020, 31-Jan-20
  [
    /^(\d{1,2})(?:st|nd|rd|th)?\.?[\s-]+(?:of\s+)?([A-Za-z]{3,9})\.?,?[\s-]+(\d{4}|['’]?\d{2})(?!\d)/,
    ([, date, month = "", year]) => dayOfNamedMonth(month, date, year),
  ],
  // January 31, 2020, Jan 31, '20
  [
    /^([A-Za-z]{3,9})\.?[\s-]+(\d{1,2})(?:st|nd|rd|th)?,?[\s-]+(\d{4}|['’]?\d{2})(?!\d)/,
    ([, month = "", date, year]) => dayOfNamedMonth(month, date, year),
  ],
];

function dayOfNamedMonth(month: string, date: string | undefined, year: string | undefined): number | null {
  const at = monthOf(month);
  return at === null ? null : day(yearOf(year), at, Number(date));
}

const weekday = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+/i;

/** ISO 8601, RFC 822, and days in digits or English words; UTC without a zone. null for anything else, such as 03/04/2020 without an order. */
export function momentOf(input: string | null | undefined, order: DateOrder | null = null): number | null {
  const text = (input ?? "").slice(0, 200).trim().replace(weekday, "");
  for (const [form, dayOf] of forms) {
    const match = form.exec(text);
    if (match === null) continue;
    const start = dayOf(match, order);
    const rest = start === null ? null : timeOf(text.slice(match[0].length));
    return start === null || rest === null ? null : start + rest;
  }
  return null;
}

export function isoDate(text: string | null | undefined, order: DateOrder | null = null): string | null {
  const moment = momentOf(text, order);
  return moment === null ? null : new Date(moment).toISOString();
}

/** First day of `January 2020` or `2020-01`. */
export function momentOfMonth(text: string): number | null {
  const [, year, month] = /^(\d{4})[-/](\d{1,2})$/.exec(text.trim()) ?? [];
  if (year !== undefined) return day(Number(year), Number(month) - 1, 1);
  const [, name = "", inYear] = /^([A-Za-z]{3,9})\.?,?\s+(\d{4})$/.exec(text.trim()) ?? [];
  const at = monthOf(name);
  return at === null ? null : day(Number(inYear), at, 1);
}

const month = "[A-Za-z]{3,9}\\.?";
const clock = "(?:[T ,]+\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?(?:\\s?[AaPp]\\.?[Mm]\\.?)?(?:\\s?(?:Z|UTC|GMT|[+-]\\d{2}:?\\d{2}))?)?";
const shortYear = "(?:\\d{4}|['’]?\\d{2}(?!:))";
const written = [
  `\\d{4}([-/.])\\d{1,2}\\1\\d{1,2}${clock}`,
  `\\d{1,2}\\.\\s?\\d{1,2}\\.\\s?\\d{4}${clock}`,
  `\\d{1,2}(?:/\\d{1,2}/(?:\\d{4}|\\d{2})|-\\d{1,2}-\\d{4})`,
  `\\d{1,2}(?:st|nd|rd|th)?\\.?[ -](?:of )?${month},?[ -]${shortYear}`,
  `${month} \\d{1,2}(?:st|nd|rd|th)?,? (?:\\d{4}|['’]\\d{2})`,
].map((form) => new RegExp(`(?<![\\w.-])${form}(?![\\w]|[.-]\\d)`));

/** First date in a line as written, and the text around it; null without one. */
export function wordsOfDate(line: string): { words: string; around: string } | null {
  for (const form of written) {
    const match = form.exec(line);
    if (match === null) continue;
    const [words] = match;
    if (momentOf(words) === null && !hasOrder(words) && !/^\d.*\d{4}/.test(words)) continue; // `Step 12, 2020`
    const before = line.slice(0, match.index).replace(/(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s*$/i, "");
    return { words, around: `${before}\0${line.slice(match.index + words.length)}` };
  }
  return null;
}

/** As ISO 8601; ambiguous ones as written. */
export function dateIn(line: string, order: DateOrder | null = null): { date: string; around: string } | null {
  const match = wordsOfDate(line);
  return match === null ? null : { date: isoDate(match.words, order) ?? match.words, around: match.around };
}
