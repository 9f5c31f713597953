import { useState } from "react";
import type { PostSummary } from "#contract/posts.ts";

/** Which of the rows in sight are ticked; rows that leave the sight leave the selection. */
export function useSelection(rows: readonly PostSummary[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const selected = rows.filter(({ id }) => ids.has(id));
  const all = selected.length === rows.length && rows.length > 0;
  return {
    selected,
    all,
    has: (id: string) => ids.has(id),
    toggle: (id: string) => setIds(ids.has(id) ? new Set([...ids].filter((one) => one !== id)) : new Set([...ids, id])),
    toggleAll: () => setIds(all ? new Set() : new Set(rows.map(({ id }) => id))),
    clear: () => setIds(new Set()),
  };
}
export type Selection = ReturnType<typeof useSelection>;
