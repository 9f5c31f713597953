import { csvLine, fromCell, parseCsv } from "./csv.ts";
import { tagMaxLength, tagsPerPost } from "./limits.ts";
import { mailAddress } from "./mail-address.ts";
import { type ImportedReader, importMaxLines, type Subscriber } from "./subscribers.ts";
import { type Frequency, isFrequency } from "./subscriptions.ts";
import { tagKey } from "./rules/tag-key.ts";
import { figure } from "./rules/figure.ts";

export const subscriberColumns = ["email", "status", "frequency", "tags", "confirmed_at", "created_at"] as const;

/** What stands for an empty choice, which is not the same as none: nobody who chose only what is gone gets everything. */
const nothingChosen = "(none)";

export const subscriberCsvHead = (): string => csvLine(subscriberColumns);

/** Keys of tags hold no blanks, so blanks stand between them. */
export const subscriberCsvLine = ({ email, status, frequency, tags, confirmed_at, created_at }: Subscriber): string =>
  csvLine([email, status, frequency, tags?.length === 0 ? nothingChosen : (tags?.join(" ") ?? ""), confirmed_at ?? "", created_at]);

/** Why a line is left out; `line` is that of the file. */
export interface InvalidLine {
  line: number;
  reason: string;
}

export type ReaderList =
  /** Nothing can be done with the file. */
  | { problem: string }
  /** `lines` are those of `readers`, one for one; `repeated` counts addresses that stand in the file a second time. */
  | { problem?: undefined; readers: ImportedReader[]; lines: number[]; invalid: InvalidLine[]; repeated: number };

const names: Record<"email" | "frequency" | "tags" | "confirmed_at" | "status", RegExp> = {
  email: /^(?:e-?mail|mail)(?:[ _-]?address)?$/,
  frequency: /^(?:frequency|how often)$/,
  tags: /^(?:tags?|topics?)$/,
  confirmed_at: /^(?:confirmed[ _]at|confirm[ _]time|optin[ _]time)$/,
  status: /^status$/,
};

/** Statuses of ours and of other products under which nobody may be written to. */
const gone = new Set(["left", "suppressed", "paused", "unsubscribed", "cleaned", "bounced", "complained", "blocked"]);

/** Reads a list of readers. Columns are found by the names in the first line; a list of addresses alone needs none. `known` are keys of tags. */
export function readersOf(text: string, known: readonly string[] = []): ReaderList {
  const records = parseCsv(text);
  const first = records.next().value;
  if (!first) return { problem: "There is nothing in it." };
  const heads = first.cells.map((cell) => cell.trim().toLowerCase());
  const place = (column: keyof typeof names) => heads.findIndex((head) => names[column].test(head));
  const isPlain = heads.length === 1 && place("email") === -1 && mailAddress(fromCell(heads[0]!)) !== null;
  if (!isPlain && place("email") === -1) return { problem: 'The first line names the columns, and none of them is called "email".' };
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
    const read = open ? "A quote is opened here and never closed" : readerOf(cell, known);
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
  return count === 0 ? { problem: "There is no address in it." } : list;
}

/** A reader, or why the line is none. */
function readerOf(cell: (column: keyof typeof names) => string, known: readonly string[]): ImportedReader | string {
  if (cell("email") === "") return "There is no address";
  const email = mailAddress(cell("email"));
  if (email === null) return `"${shortened(cell("email"))}" is no email address`;
  if (gone.has(cell("status").toLowerCase())) return `The status is "${cell("status").toLowerCase()}": this reader gets no mails`;
  const frequency = (cell("frequency") || "instant").toLowerCase();
  if (!isFrequency(frequency)) return `"${shortened(frequency)}" is none of instant, daily and weekly`;
  const tags = tagsOf(cell("tags"), known);
  if (tags !== null && (tags.length > tagsPerPost || tags.some((tag) => tag.length > tagMaxLength))) {
    return `There are more than ${tagsPerPost} tags, or one has more than ${tagMaxLength} characters`;
  }
  const confirmed = cell("confirmed_at") === "" ? null : timeOf(cell("confirmed_at"));
  if (confirmed === undefined)
    return `"${shortened(cell("confirmed_at"))}" is no point in time, such as 2026-01-31 or 2026-01-31T09:00:00Z`;
  return { email, frequency: frequency satisfies Frequency, tags, confirmed_at: confirmed };
}

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** Between keys stand blanks; commas, semicolons and bars too, unless a key that is known has them in it. */
function tagsOf(cell: string, known: readonly string[]): string[] | null {
  if (cell === "") return null;
  if (cell === nothingChosen) return [];
  const pieces = cell.split(/\s+/).flatMap((piece) => (known.includes(piece) ? [piece] : piece.split(/[,;|]/)));
  return [...new Set(pieces.map(tagKey).filter((key) => key !== ""))];
}

/** A time with a zone, else taken as UTC's; undefined for what is none. */
function timeOf(text: string): string | undefined {
  const [, day, clock, zone] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i.exec(text) ?? [];
  if (day === undefined) return undefined;
  const withMinutes = zone && /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone?.replace(/^([+-]\d\d)(\d\d)$/, "$1:$2");
  const moment = new Date(`${day}T${clock ?? "00:00"}${withMinutes?.toUpperCase() ?? "Z"}`);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}
