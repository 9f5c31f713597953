import { csvLine, fromCell, parseCsv } from "./csv.ts";
import { tagMaxLength, tagsPerPost } from "./limits.ts";
import { mailAddress } from "./mail-address.ts";
import { type ImportedReader, importMaxLines, type Subscriber } from "./subscribers.ts";
import { type Frequency, isFrequency } from "./subscriptions.ts";
import { tagKey } from "./rules/tag-key.ts";
import { figure } from "./rules/figure.ts";

export const subscriberColumns = ["email", "status", "frequency", "tags", "confirmed_at", "created_at"] as const;

/** An empty choice differs from none: someone whose chosen tags are all gone must not get everything. */
const nothingChosen = "(none)";

export const subscriberCsvHead = (): string => csvLine(subscriberColumns);

export const subscriberCsvLine = ({ email, status, frequency, tags, confirmed_at, created_at }: Subscriber): string =>
  csvLine([email, status, frequency, tags?.length === 0 ? nothingChosen : (tags?.join(" ") ?? ""), confirmed_at ?? "", created_at]);

export interface InvalidLine {
  line: number;
  reason: string;
}

export type ReaderList =
  | { problem: string }
  | { problem?: undefined; readers: ImportedReader[]; lines: number[]; invalid: InvalidLine[]; repeated: number };

const names: Record<"email" | "frequency" | "tags" | "confirmed_at" | "status", RegExp> = {
  email: /^(?:e-?mail|mail)(?:[ _-]?address)?$/,
  frequency: /^(?:frequency|how often)$/,
  tags: /^(?:tags?|topics?)$/,
  confirmed_at: /^(?:confirmed[ _]at|confirm[ _]time|optin[ _]time)$/,
  status: /^status$/,
};

/** Statuses, ours and other products', of people who must not be emailed. */
const unsubscribedStatuses = new Set(["left", "suppressed", "paused", "unsubscribed", "cleaned", "bounced", "complained", "blocked"]);

/** Parses a subscriber list. Columns are found by header names; a list of addresses needs none. `known`: tag keys. */
export function readersOf(text: string, knownTags: readonly string[] = []): ReaderList {
  const records = parseCsv(text);
  const first = records.next().value;
  if (!first) return { problem: "The file is empty." };
  const heads = first.cells.map((cell) => cell.trim().toLowerCase());
  const place = (column: keyof typeof names) => heads.findIndex((head) => names[column].test(head));
  const isPlain = heads.length === 1 && place("email") === -1 && mailAddress(fromCell(heads[0]!)) !== null;
  if (!isPlain && place("email") === -1) return { problem: 'The first line has column names, but none is called "email".' };
  const at = { email: isPlain ? 0 : place("email"), frequency: -1, tags: -1, confirmed_at: -1, status: -1 };
  if (!isPlain) for (const column of ["frequency", "tags", "confirmed_at", "status"] as const) at[column] = place(column);

  const list: Exclude<ReaderList, { problem: string }> = { readers: [], lines: [], invalid: [], repeated: 0 };
  const seen = new Set<string>();
  let count = 0;
  for (const { line, cells, open } of isPlain ? [first, ...records] : records) {
    count += 1;
    if (count > importMaxLines) {
      return { problem: `The list has more than ${figure(importMaxLines)} lines. Please split it into several.` };
    }
    const cell = (column: keyof typeof names) => fromCell((cells[at[column]] ?? "").trim());
    const read = open ? "A quote is opened here but never closed" : readerOf(cell, knownTags);
    if (typeof read === "string") {
      list.invalid.push({ line, reason: read });
      continue;
    }
    const key = read.email.toLowerCase();
    if (seen.has(key)) {
      list.repeated += 1;
      continue;
    }
    seen.add(key);
    list.readers.push(read);
    list.lines.push(line);
  }
  return count === 0 ? { problem: "The file has no email address." } : list;
}

function readerOf(cell: (column: keyof typeof names) => string, knownTags: readonly string[]): ImportedReader | string {
  if (cell("email") === "") return "The address is missing";
  const email = mailAddress(cell("email"));
  if (email === null) return `"${shortened(cell("email"))}" isn't a valid email address`;
  if (unsubscribedStatuses.has(cell("status").toLowerCase()))
    return `The status is "${cell("status").toLowerCase()}", so this reader gets no emails`;
  const frequency = (cell("frequency") || "instant").toLowerCase();
  if (!isFrequency(frequency)) return `"${shortened(frequency)}" isn't instant, daily or weekly`;
  const tags = tagsOf(cell("tags"), knownTags);
  if (tags !== null && (tags.length > tagsPerPost || tags.some((tag) => tag.length > tagMaxLength))) {
    return `There are more than ${tagsPerPost} tags, or one has more than ${tagMaxLength} characters`;
  }
  const confirmed = cell("confirmed_at") === "" ? null : timeOf(cell("confirmed_at"));
  if (confirmed === undefined) return `"${shortened(cell("confirmed_at"))}" isn't a valid time, such as 2026-01-31 or 2026-01-31T09:00:00Z`;
  return { email, frequency: frequency satisfies Frequency, tags, confirmed_at: confirmed };
}

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** Separated by spaces, commas, semicolons or bars, unless a known key contains them. */
function tagsOf(cell: string, knownTags: readonly string[]): string[] | null {
  if (cell === "") return null;
  if (cell === nothingChosen) return [];
  const pieces = cell.split(/\s+/).flatMap((piece) => (knownTags.includes(piece) ? [piece] : piece.split(/[,;|]/)));
  return [...new Set(pieces.map(tagKey).filter((key) => key !== ""))];
}

function timeOf(text: string): string | undefined {
  const [, day, clock, zone] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i.exec(text) ?? [];
  if (day === undefined) return undefined;
  const withMinutes = zone && /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone?.replace(/^([+-]\d\d)(\d\d)$/, "$1:$2");
  const moment = new Date(`${day}T${clock ?? "00:00"}${withMinutes?.toUpperCase() ?? "Z"}`);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}
