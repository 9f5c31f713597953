import { fromCell, parseCsv } from "#contract/csv.ts";
import { type Adapter, type ImportEntry, ImportProblem, type ReadSource, type SourceFile } from "../entry.ts";
import { finished, notTooMany } from "../finish.ts";
import { importMaxEntries } from "#contract/limits.ts";
import { beginning, called, readText } from "../files/text.ts";

const columns = ["id", "title", "content", "published_at", "display_date", "created_at"] as const;
const needed = ["id", "title", "content"] as const;

const nameOf = (cell: string): string => cell.trim().toLowerCase();

function* rows(file: SourceFile, text: string): Generator<ImportEntry> {
  let places: Record<(typeof columns)[number], number> | null = null;
  for (const { line, cells, open } of parseCsv(text)) {
    if (places === null) {
      const header = cells.map(nameOf);
      const missing = needed.find((column) => !header.includes(column));
      if (missing !== undefined) throw new ImportProblem(`${called(file)} has no column “${missing}”`);
      places = Object.fromEntries(columns.map((column) => [column, header.indexOf(column)])) as Record<(typeof columns)[number], number>;
      continue;
    }
    if (open) throw new ImportProblem(`${called(file)} is damaged: a quote on line ${line} is never closed`);
    const at = places;
    const cell = (column: (typeof columns)[number]): string => fromCell(cells[at[column]] ?? "");
    const id = cell("id").trim();
    if (id === "") throw new ImportProblem(`The post on line ${line} of ${called(file)} has no id`);
    const published = cell("published_at").trim();
    yield {
      external_id: `quackback:${id}`,
      title: cell("title"),
      published_at: published === "" ? null : cell("display_date").trim() || published,
      status: published === "" ? "draft" : "published",
      tags: [],
      old_urls: [],
      content: { kind: "markdown", text: cell("content").replace(/\r\n?/g, "\n") },
      notes: [],
    };
  }
}

export const quackback: Adapter = {
  source: "quackback",
  recognizes(files) {
    const isIts = (file: SourceFile): boolean => {
      const [first] = parseCsv(beginning(file).split("\n", 1)[0]!);
      const header = first?.cells.map(nameOf) ?? [];
      return needed.every((column) => header.includes(column)) && header.includes("display_date");
    };
    return files.length > 0 && files.every(isIts) ? 2 : 0;
  },
  read(files): ReadSource {
    const notes: string[] = [];
    const entries: ImportEntry[] = [];
    for (const file of files) {
      const { text, note } = readText(file);
      if (note !== null) notes.push(note);
      for (const entry of rows(file, text)) if (entries.push(entry) > importMaxEntries * 10) break;
      notTooMany(entries.length);
    }
    if (entries.length === 0) throw new ImportProblem("The file has no posts");
    return finished({ source: "quackback", name: null, entries, notes });
  },
};
