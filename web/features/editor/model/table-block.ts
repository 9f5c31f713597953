import { blockLimits } from "#contract/blocks/schema.ts";

/** The cells of a table with others over them from one cell on; it grows where they reach beyond it, as far as a post can hold. */
export function tableWith(
  content: readonly (readonly string[])[],
  at: { row: number; column: number },
  added: readonly (readonly string[])[],
): string[][] {
  const rows = Math.min(blockLimits.tableRows, Math.max(content.length, at.row + added.length));
  const width = Math.max(0, ...added.map((row) => row.length));
  const columns = Math.min(blockLimits.tableColumns, Math.max(content[0]?.length ?? 0, at.column + width));
  const cell = (row: number, column: number) => added[row - at.row]?.[column - at.column] ?? content[row]?.[column] ?? "";
  return Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (__, column) => cell(row, column)));
}
