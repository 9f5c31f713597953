import Table from "@editorjs/table";

/** What this needs of the tool's table; rows and columns count from 1. */
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
  /** Makes it a named button, see ./name-controls.ts. */
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

/** The table tool offers its row and column menus to a mouse alone: the block's settings offer the same for the cell of the caret. */
export class PostTable extends Table {
  declare table: Grid;

  override renderSettings(): Setting[] {
    const { table } = this;
    const { row, column } = table.focusedCell; // 0: the caret was in no cell yet
    const [here, there] = [Math.max(row, 1), Math.max(column, 1)];
    const setting = (label: string, icon: string, act: () => void): Setting => ({
      name: label,
      label,
      icon,
      closeOnActivate: true,
      onActivate: act,
    });
    const focusNear = () => {
      table.focusedCell = { row: Math.min(here, table.numberOfRows), column: Math.min(there, table.numberOfColumns) };
      table.focusCell();
    };
    const remove = (work: () => void) => () => {
      work();
      focusNear();
    };
    return [
      ...(super.renderSettings() as Setting[]),
      setting("Add a row below", plus, () => table.addRow(here + 1, true)),
      setting("Add a column after", plus, () => table.addColumn(there + 1, true)),
      ...(table.numberOfRows > 1
        ? [
            setting(
              "Delete this row",
              minus,
              remove(() => table.deleteRow(here)),
            ),
          ]
        : []),
      ...(table.numberOfColumns > 1
        ? [
            setting(
              "Delete this column",
              minus,
              remove(() => table.deleteColumn(there)),
            ),
          ]
        : []),
    ];
  }
}
