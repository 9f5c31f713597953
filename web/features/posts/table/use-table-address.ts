import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { searchDebounceMs } from "../../../lib/timings.ts";
import { firstView, readQuery, type TableQuery, writeQuery } from "./table-query.ts";

/**
 * The table's view, kept in the address, so that a link or the back button restores it. Typing shows at once and reaches the address
 * when it pauses: browsers refuse too many changes of the address.
 */
export function useTableAddress() {
  const [params, setParams] = useSearchParams();
  const query = readQuery(params);
  const [search, setSearch] = useState(query.search);
  const written = useRef(query.search);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(pause.current), []);

  // The address was changed by somebody else: a link, the back button.
  useEffect(() => {
    if (query.search !== written.current) setSearch(query.search);
    written.current = query.search;
  }, [query.search]);

  function write(changes: Partial<TableQuery>, step: "push" | "replace") {
    clearTimeout(pause.current);
    if (changes.search !== undefined) written.current = changes.search;
    setParams((address) => writeQuery({ ...readQuery(address), ...changes }, address), {
      replace: step === "replace",
      preventScrollReset: true,
    });
  }

  return {
    /** What stands in the address: what the rows are asked for with. */
    written: query,
    /** The same, with what is being typed. */
    query: { ...query, search },
    /** Letter by letter. */
    type(text: string) {
      setSearch(text);
      clearTimeout(pause.current);
      pause.current = setTimeout(() => write({ search: text, page: firstView.page }, "replace"), searchDebounceMs);
    },
    /** A filter, or none at all. */
    choose(text: string) {
      setSearch(text);
      write({ search: text, page: firstView.page }, "push");
    },
    goTo: (page: number) => write({ page, search }, "push"),
    /** The page that the server answered with, when there is no such page as was asked for (any more). */
    correct: (page: number) => write({ page, search }, "replace"),
    setSize: (size: TableQuery["size"]) => write({ size, page: firstView.page, search }, "push"),
  };
}
export type TableAddress = ReturnType<typeof useTableAddress>;
