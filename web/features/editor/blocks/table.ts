import Table from "@editorjs/table";
import type { HtmlReader } from "../paste/html-pieces.ts";
import { markdownInline } from "../paste/markdown-inline.ts";
import { button, mouseOnly, textbox } from "./control-names.ts";
import type { EditorBlock } from "./editor-block.ts";
import { icon } from "./menu-entry.ts";

/** The used part of the table tool; rows and columns count from 1. */
interface Grid {
  focusedCell: { row: number; column: number };
  readonly numberOfRows: number;
  readonly numberOfColumns: number;
  addRow(index: number, setFocus: boolean): void;
  addColumn(index: number, setFocus: boolean): void;
  deleteRow(index: number): void;
  deleteColumn(index: number): void;
  focusCell(): void;
}

interface Setting {
  name: string;
  label: string;
  icon: string;
  closeOnActivate: boolean;
  onActivate(): void;
}

const sign = (path: string) =>
  `<svg width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round">${path}</svg>`;
const plus = sign('<path d="M12 7v10M7 12h10"/>');
const minus = sign('<path d="M7 12h10"/>');

interface Action {
  label: string;
  icon: string;
  key: string;
  /** Omitted: always. The last row and column can't be deleted; delete the block instead. */
  possible?(table: Grid): boolean;
  act(table: Grid): void;
}

const actions: Action[] = [
  { label: "Add row below", icon: plus, key: "ArrowDown", act: (table) => table.addRow(at(table).row + 1, true) },
  { label: "Add column after", icon: plus, key: "ArrowRight", act: (table) => table.addColumn(at(table).column + 1, true) },
  {
    label: "Delete row",
    icon: minus,
    key: "Backspace",
    possible: (table) => table.numberOfRows > 1,
    act: (table) => remove(table, "row"),
  },
  {
    label: "Delete column",
    icon: minus,
    key: "Delete",
    possible: (table) => table.numberOfColumns > 1,
    act: (table) => remove(table, "column"),
  },
];

const at = ({ focusedCell: { row, column } }: Grid) => ({ row: Math.max(row, 1), column: Math.max(column, 1) });

const possible = (table: Grid, action: Action): boolean => action.possible?.(table) ?? true;

function remove(table: Grid, what: "row" | "column"): void {
  const { row, column } = at(table);
  if (what === "row") table.deleteRow(row);
  else table.deleteColumn(column);
  table.focusedCell = { row: Math.min(row, table.numberOfRows), column: Math.min(column, table.numberOfColumns) };
  table.focusCell();
}

/** The table tool's row and column menus are mouse-only: adds them to the block's settings and to the keyboard. */
class PostTable extends Table {
  declare table: Grid;

  /** Keeps line breaks, like ./header.ts. */
  static get sanitize() {
    return { content: { br: true } };
  }

  override render(): HTMLElement {
    const element = super.render();
    element.addEventListener("keydown", (event) => this.#press(event), { capture: true });
    return element;
  }

  #press(event: KeyboardEvent): void {
    const action = event.altKey && event.shiftKey ? actions.find(({ key }) => key === event.key) : undefined;
    const cell = event.target as HTMLElement;
    if (!action || !cell.isContentEditable) return;
    event.preventDefault();
    event.stopPropagation();
    if (possible(this.table, action)) action.act(this.table);
  }

  override renderSettings(): Setting[] {
    const own = actions.filter((action) => possible(this.table, action));
    return [
      ...(super.renderSettings() as Setting[]),
      ...own.map(({ label, icon, act }) => ({ name: label, label, icon, closeOnActivate: true, onActivate: () => act(this.table) })),
    ];
  }
}

const read: HtmlReader = (element, { flat, hasText, within, apart }) => {
  const { caption, rows } = element as HTMLTableElement;
  const only = rows.length === 1 && rows[0]!.cells.length === 1 ? rows[0]!.cells[0] : undefined;
  if (only) return apart(within(only)); // a layout table
  const cells = [...rows].map((row) => [...row.cells].map((cell) => ({ ...flat(within(cell)), span: cell.colSpan })));
  const content = cells.map((row) =>
    row.flatMap(({ lines, span }) => [lines.join("<br>"), ...Array<string>(Math.max(0, span - 1)).fill("")]),
  );
  const withHeadings = rows[0] !== undefined && [...rows[0].cells].every((cell) => cell.matches("th, thead *"));
  return [
    ...(caption ? apart(within(caption)) : []),
    ...(content.flat().some(hasText) ? [{ type: "table", data: { withHeadings, stretched: false, content } } as const] : []),
    ...cells.flat().flatMap(({ images }) => images),
  ];
};

const line = /^\s*\|.*\|\s*$/;
const rule = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/;

function ofLines(rows: readonly string[]): object {
  const cells = (row: string) =>
    row
      .trim()
      .slice(1, -1)
      .split("|")
      .map((cell) => markdownInline(cell.trim()));
  const withHeadings = rows[1] !== undefined && rule.test(rows[1]);
  return { withHeadings, content: rows.filter((row) => !rule.test(row)).map(cells) };
}

export const table: EditorBlock<"table"> = {
  tool: () => ({ class: PostTable, inlineToolbar: true, config: { rows: 2, cols: 3, withHeadings: true } }),
  menu: [
    {
      title: "Table",
      icon: icon('<rect x="4" y="5" width="16" height="14" rx="2"/><path d="M4 10h16M4 14.5h16M12 5v14"/>'),
      words: "grid rows columns cells spreadsheet",
      data: {},
    },
  ],
  shortcuts: {},
  html: { TABLE: read },
  markdown: {
    pattern: line,
    isDistinctive: true,
    read: (lines, at) => {
      let end = at;
      while (end < lines.length && line.test(lines[end]!)) end++;
      return [{ type: "table", data: ofLines(lines.slice(at, end)) }, end];
    },
  },
  lines: ({ content }) => content.map((row) => row.filter((cell) => cell !== "").join(" ")),
  names: [
    [".tc-cell", textbox("Table cell")],
    [".tc-add-column", button("Add column")],
    [".tc-add-row", button("Add row")],
    [".tc-toolbox__toggler", mouseOnly],
    [".tc-popover__item", (element) => button(element.textContent.trim())(element)],
  ],
  writing: "parts",
};
