import { blockType, type Pieces } from "../block-type.ts";
import { englishBlockWords } from "../block-labels.ts";
import { cleanInline, inlineText, publishedInline } from "../inline-html.ts";
import { inlineToMarkdown } from "../inline-to-markdown.ts";
import { inlineToWholeMarkdown } from "../inline-to-whole-markdown.ts";
import { blockLimits } from "../limits.ts";
import { asList, asObject, type Limits } from "../read.ts";

function cleanCells(value: unknown, limits: Limits): string[][] {
  const rows = asList(value, limits.tableRows).map((row) => asList(row, limits.tableColumns).map(cleanInline));
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return columns === 0 ? [] : rows.map((row) => [...row, ...Array<string>(columns - row.length).fill("")]);
}

function pieces(data: unknown): Pieces {
  const { content } = asObject(data);
  const rows: unknown[] = Array.isArray(content) ? content : [];
  if (rows.length > blockLimits.tableRows) return { pieces: 0, problem: `A table can have at most ${blockLimits.tableRows} rows` };
  const columns = rows.reduce<number>((most, row) => Math.max(most, Array.isArray(row) ? row.length : 0), 0);
  const problem = columns > blockLimits.tableColumns ? `A table can have at most ${blockLimits.tableColumns} columns` : null;
  return { pieces: rows.length * columns, problem };
}

const alignedWidth = 120;

/** Columns are aligned unless that makes lines too long to read. */
function markdownTable(rows: readonly string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(3, ...rows.map((row) => row[column]!.length)));
  const isAligned = widths.reduce((sum, width) => sum + width + 3, 1) <= alignedWidth;
  const line = (cells: readonly string[], fill: string): string =>
    `| ${cells.map((cell, column) => cell.padEnd(isAligned ? widths[column]! : 3, fill)).join(" | ")} |`;
  const [head, ...body] = rows.map((row) => line(row, " "));
  return [
    head,
    line(
      widths.map(() => ""),
      "-",
    ),
    ...body,
  ].join("\n");
}

export const table = blockType({
  name: "Table",
  phrase: "a table",
  schema: ({ z, inline }) => z.object({ withHeadings: z.boolean(), stretched: z.boolean(), content: z.array(z.array(inline)) }),
  clean: (data, limits) => {
    const content = cleanCells(data["content"], limits);
    return content.length === 0 ? null : { withHeadings: data["withHeadings"] === true, stretched: data["stretched"] === true, content };
  },
  html: ({ withHeadings, content }, { words = englishBlockWords }) => {
    const row = (cells: string[], show: (cell: string) => string): string => `<tr>${cells.map(show).join("")}</tr>`;
    const data = (cell: string): string => `<td>${publishedInline(cell)}</td>`;
    const heading = (cell: string): string =>
      inlineText(cell).trim() === "" ? data(cell) : `<th scope="col">${publishedInline(cell)}</th>`;
    const head = withHeadings ? `<thead>${row(content[0] ?? [], heading)}</thead>` : "";
    const body = content
      .slice(withHeadings ? 1 : 0)
      .map((cells) => row(cells, data))
      .join("");
    // A wide table scrolls on its own; tabindex for keyboards.
    return `<div class="table" role="region" aria-label="${words.table}" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>`;
  },
  markdown: ({ withHeadings, content }, { whole }) => {
    const words = (cell: string): string =>
      (whole
        ? inlineToWholeMarkdown(cell, { cell: true })
        : inlineToMarkdown(cell, { block: false }).replaceAll("\\\n", "<br>")
      ).replaceAll("|", "\\|");
    const [first = [], ...others] = content.map((row) => row.map(words));
    return markdownTable(withHeadings ? [first, ...others] : [first.map(() => ""), first, ...others]);
  },
  unsaid: ({ stretched }) => (stretched ? { stretched } : {}),
  words: ({ content }) => content.flat().map(inlineText),
  prose: false,
  shows: null,
  wordless: "Empty",
  style: `
.body .table { overflow-x: auto; }
.body table { width: 100%; border-collapse: collapse; font-size: .9375rem; line-height: 1.375rem; }
.body th, .body td { text-align: start; vertical-align: top; padding: .625rem .75rem; border-bottom: 1px solid var(--line); min-width: 6rem; }
.body th { font-weight: 600; }
.body thead > tr > * { border-bottom-color: var(--control); }
.body th:first-child, .body td:first-child { padding-inline-start: 0; }`,
  pieces,
});
