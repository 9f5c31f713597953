import { useState } from "react";
import type { PostSummary } from "#contract/posts.ts";

const none: ReadonlySet<string> = new Set();

export function useSelection(rows: readonly PostSummary[], view: string) {
  const [ticked, setTicked] = useState({ view, ids: none });
  if (ticked.view !== view) setTicked({ view, ids: none });
  const ids = ticked.view === view ? ticked.ids : none;
  const setIds = (ids: ReadonlySet<string>) => setTicked({ view, ids });
  const selected = rows.filter(({ id }) => ids.has(id));
  const all = selected.length === rows.length && rows.length > 0;
  return {
    selected,
    all,
    has: (id: string) => ids.has(id),
    toggle: (id: string) => setIds(ids.has(id) ? new Set([...ids].filter((one) => one !== id)) : new Set([...ids, id])),
    toggleAll: () => setIds(all ? none : new Set(rows.map(({ id }) => id))),
    clear: () => setIds(none),
  };
}
