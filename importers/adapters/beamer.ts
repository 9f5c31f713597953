import { escapeHtml } from "#contract/blocks/text.ts";
import { parseCsv } from "#contract/csv.ts";
import { columnOf, csvHead, isCsv, missingColumn } from "../files/csv-columns.ts";
import { momentOf } from "../dates.ts";
import {
  type Adapter,
  type EntryContent,
  type EntryStatus,
  type ImportEntry,
  ImportProblem,
  type ReadSource,
  type SourceFile,
} from "../entry.ts";
import { finished } from "../finish.ts";
import {
  addressesOf,
  dateOf,
  type Fields,
  fieldsIn,
  isAhead,
  looksLikeHtml,
  Missing,
  namesFields,
  namesIn,
  plainAsHtml,
  postsIn,
  textField,
} from "../records.ts";
import { statusNamed, unknownStateNote } from "../states.ts";
import { beginning, called, readText } from "../files/text.ts";
import { bestText, otherLanguages } from "../translations.ts";

const product = "Beamer";

const categories = new Map([
  ["new", "New"],
  ["improvement", "Improvement"],
  ["fix", "Fix"],
  ["comingsoon", "Coming soon"],
  ["announcement", "Announcement"],
  ["other", "Other"],
]);
const categoryOf = (name: string): string => categories.get(name.toLowerCase().replace(/[\s_-]/g, "")) ?? name;

const isJson = (file: SourceFile): boolean => /^\s*[[{]/.test(beginning(file, 200));

/** CSV rows as API posts; rows with the same id are translations. */
function rowsOf(file: SourceFile): { posts: Fields[]; notes: string[] } {
  const { text, note } = readText(file);
  const [head, ...records] = [...parseCsv(text)];
  const problem = missingColumn(head?.cells ?? []);
  if (problem !== null) throw new ImportProblem(`${called(file)} ${problem}`);
  const names = head!.cells.map(columnOf);
  const posts = new Map<string, { post: Fields; translations: Fields[] }>();
  for (const [at, { cells }] of records.entries()) {
    const row: Record<string, string> = {};
    for (const [column, name] of names.entries()) {
      if (name === undefined) continue;
      const cell = cells[column] ?? "";
      const before = row[name]?.trim() ? row[name] : undefined;
      row[name] = before === undefined ? cell : name === "category" && cell.trim() ? `${before};${cell}` : before;
    }
    if (!row["content"]?.trim() && !row["contentHtml"]?.trim() && row["description"])
      [row["content"], row["description"]] = [row["description"], ""];
    if (Object.values(row).every((cell) => String(cell).trim() === "")) continue;
    const key = textField(row, "id") ?? `row ${at}`;
    const existing = posts.get(key);
    if (existing !== undefined) existing.translations.push(row);
    else posts.set(key, { post: row, translations: [row] });
  }
  return { posts: [...posts.values()].map(({ post, translations }) => ({ ...post, translations })), notes: note === null ? [] : [note] };
}

function contentOf(text: Fields, base: string | undefined): EntryContent | null {
  const html = textField(text, "contentHtml");
  const plain = textField(text, "content");
  if (html === null && plain === null) return null;
  let written = html ?? (looksLikeHtml(plain!) ? plain! : plainAsHtml(plain!));
  for (const image of Array.isArray(text["images"]) ? text["images"] : []) {
    const url = typeof image === "string" ? image : (fieldsIn([image]).map((one) => textField(one, "url", "src"))[0] ?? null);
    if (url !== null && !written.includes(url) && !written.includes(escapeHtml(url)))
      written += `<p><img src="${escapeHtml(url)}" alt=""></p>`;
  }
  const [link] = addressesOf(text["linkUrl"]);
  if (link !== undefined && !written.includes(link) && !written.includes(escapeHtml(link))) {
    written += `<p><a href="${escapeHtml(link)}">${escapeHtml(textField(text, "linkText") ?? link)}</a></p>`;
  }
  return { kind: "html", text: written, base };
}

function statusOf(post: Fields, date: string | null, now: Date): EntryStatus {
  const state = stateOf(post);
  if (state.status !== "published") return state.status;
  return isAhead(date, now) ? "scheduled" : "published";
}

function stateOf(post: Fields): { status: EntryStatus; notes: string[] } {
  const states = [post["published"], post["status"]].map(stateSaid);
  return states.find(({ status }) => status !== "published") ?? states[0]!; // a draft in either column wins
}

function stateSaid(value: unknown): { status: EntryStatus; notes: string[] } {
  const word = typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
  if (value === false || /^(?:false|no|0)$/i.test(word)) return { status: "draft", notes: [] };
  if (word === "" || /^(?:true|yes|1)$/i.test(word) || momentOf(word) !== null) return { status: "published", notes: [] };
  const status = statusNamed(word);
  return status === null ? { status: "draft", notes: [unknownStateNote(word)] } : { status, notes: [] };
}

const isBeamers = (file: SourceFile): boolean =>
  csvHead(file).some((cell) => ["contentHtml", "linkUrl", "linkText", "filter"].includes(columnOf(cell) ?? ""));

const hasPosts = (file: SourceFile): boolean => isCsv(file) && missingColumn(csvHead(file)) === null;

function readPosts(files: readonly SourceFile[], now: Date, isTable: boolean): ReadSource {
  const answers = isTable ? [] : files.filter(isJson);
  const read = [
    ...(answers.length > 0
      ? [
          postsIn(answers, {
            product,
            isPost: (fields) => Array.isArray(fields["translations"]) || "contentHtml" in fields,
            told: "“translations”",
          }),
        ]
      : []),
    ...files.filter((file) => !answers.includes(file)).map(rowsOf),
  ];
  const missing = new Missing();
  let filtered = 0;
  const entries = read
    .flatMap(({ posts }) => posts)
    .map((post): ImportEntry => {
      const texts = fieldsIn(post["translations"]);
      const best = bestText(texts, "language") ?? post;
      const id = textField(post, "id");
      if (id === null && !isTable) missing.of("id");
      const date = dateOf(post["date"]) ?? (isTable && momentOf(textField(post, "published")) !== null ? dateOf(post["published"]) : null);
      if (date === null) missing.of("date", textField(best, "title") ?? "");
      const old_urls = addressesOf(best["postUrl"], best["url"], post["postUrl"], post["url"]);
      const content = contentOf(best, old_urls[0]);
      if (content === null && !("content" in best)) missing.of("contentHtml", textField(best, "title") ?? "");
      const status = textField(post, "filter") === null ? statusOf(post, date, now) : "draft";
      const isFiltered = textField(post, "filter") !== null;
      if (isFiltered) filtered++;
      return {
        external_id: `${isTable ? "csv" : "beamer"}:${id ?? old_urls[0] ?? textField(best, "title") ?? ""}`,
        title: textField(best, "title") ?? "",
        summary: isTable ? textField(best, "description") : null,
        published_at: status === "scheduled" ? null : date,
        publish_at: status === "scheduled" ? date : null,
        status,
        tags: namesIn(textField(best, "category") ?? post["category"] ?? post["categories"])
          .flatMap((name) => (isTable ? name.split(",").map((one) => one.trim()) : [name]))
          .filter(Boolean)
          .map(categoryOf),
        old_urls,
        content: content ?? { kind: "html", text: "" },
        notes: [
          ...otherLanguages(texts, best, "language"),
          ...(isFiltered ? [] : stateOf(post).notes),
          ...(isFiltered
            ? [`Only some readers could see it (filter: ${textField(post, "filter")!.slice(0, 100)}), so it's imported as a draft`]
            : []),
        ],
      };
    });
  const notes = [...read.flatMap((one) => one.notes), ...missing.notes(isTable ? "the table" : product)];
  if (filtered > 0)
    notes.push(
      `${filtered === 1 ? "One post was visible to some readers only and is imported as a draft" : `${filtered} posts were visible to some readers only and are imported as drafts`}`,
    );
  return finished({ source: isTable ? "csv" : "beamer", name: isTable ? null : product, isNamed: !isTable, entries, notes });
}

export const beamer: Adapter = {
  source: "beamer",
  recognizes(files) {
    const [first] = files;
    if (namesFields(files, "translations")) return namesFields(files, "contentHtml") || namesFields(files, "linkUrl") ? 2 : 1;
    return first !== undefined && hasPosts(first) && isBeamers(first) ? 1 : 0;
  },
  read: (files, { now }) => readPosts(files, now, false),
};

export const csv: Adapter = {
  source: "csv",
  recognizes: (files) => (files.length > 0 && files.every((file) => hasPosts(file) && !isBeamers(file)) ? 1 : 0),
  read(files, { now }) {
    if (files.length === 0) throw new ImportProblem("No file was chosen");
    return readPosts(files, now, true);
  },
};
