/** One line of a list that is being pasted. */
export interface ListLine {
  /** 0 for the outermost level; jumps are evened out. */
  depth: number;
  ordered: boolean;
  /** Null for an ordinary item. */
  checked: boolean | null;
  html: string;
}

interface Item {
  content: string;
  meta: { checked?: boolean };
  items: Item[];
}

/** Lines as one list block, items below items; the first line decides what kind of list it is. */
export function listBlock(lines: readonly ListLine[]): object {
  const [first] = lines;
  const isChecklist = first !== undefined && first.checked !== null;
  const root: Item[] = [];
  const open: Item[][] = [root]; // the list that takes the next item, for each depth
  for (const { depth, checked, html } of lines) {
    const level = Math.min(depth, open.length - 1);
    const item: Item = { content: html, meta: checked === null ? {} : { checked }, items: [] };
    open[level]!.push(item);
    open.splice(level + 1, open.length, item.items);
  }
  if (isChecklist && root.every((item) => item.items.length === 0)) {
    return { type: "checklist", data: { items: root.map(({ content, meta }) => ({ text: content, checked: meta.checked === true })) } };
  }
  return { type: "list", data: { style: isChecklist ? "checklist" : first?.ordered ? "ordered" : "unordered", meta: {}, items: root } };
}
