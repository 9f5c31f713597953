/** A table's cells overwritten with others from one cell on; the table grows if needed. */
export function tableWith(
  content: readonly (readonly string[])[],
  at: { row: number; column: number },
  added: readonly (readonly string[])[],
): string[][] {
  const rows = Math.max(content.length, at.row + added.length);
  const width = Math.max(0, ...added.map((row) => row.length));
  const columns = Math.max(content[0]?.length ?? 0, at.column + width);
  const cell = (row: number, column: number) => added[row - at.row]?.[column - at.column] ?? content[row]?.[column] ?? "";
  return Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (__, column) => cell(row, column)));
}
