import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { searchDebounceMs } from "./timings.ts";
import { useIsHere } from "./use-is-here.ts";

/** What every view of a list has. */
export interface ListView {
  /** What is searched for. */
  search: string;
  /** From 1; may lie behind the last page. */
  page: number;
}

/** How a view stands in the address. */
interface AddressForm<View extends ListView> {
  /** What makes no sense in the address is the default. */
  read: (address: URLSearchParams) => View;
  /** Defaults are left out, other parameters stay. */
  write: (view: View, address: URLSearchParams) => URLSearchParams;
}

/**
 * A list's view, kept in the address, so that a link, a reload or the back button restores it. Typing shows at once and reaches the address
 * when it pauses: browsers refuse too many changes of the address.
 */
export function useViewAddress<View extends ListView>({ read, write }: AddressForm<View>) {
  const [params, setParams] = useSearchParams();
  const isHere = useIsHere();
  const view = read(params);
  const [search, setSearch] = useState(view.search);
  const written = useRef(view.search);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(pause.current), []);

  // The address was changed by somebody else: a link, the back button.
  useEffect(() => {
    if (view.search !== written.current) setSearch(view.search);
    written.current = view.search;
  }, [view.search]);

  function change(changes: Partial<ListView> | Partial<View>, step: "push" | "replace") {
    clearTimeout(pause.current);
    if (changes.search !== undefined) written.current = changes.search;
    setParams((address) => write({ ...read(address), ...changes }, address), { replace: step === "replace", preventScrollReset: true });
  }

  return {
    /** What stands in the address: what the rows are asked for with. */
    written: view,
    /** The same, with what is being typed. */
    view: { ...view, search },
    /** Letter by letter. */
    type(text: string) {
      setSearch(text);
      clearTimeout(pause.current);
      pause.current = setTimeout(() => {
        if (isHere()) change({ search: text, page: 1 }, "replace");
      }, searchDebounceMs);
    },
    /** Filters, or none any more; shown from the first page on. */
    choose(changes: Partial<View>) {
      if (changes.search !== undefined) setSearch(changes.search);
      change({ search, ...changes, page: 1 }, "push");
    },
    goTo: (page: number) => change({ page, search }, "push"),
    /** The last page, when there is no such page as was asked for (any more). */
    correct: (page: number) => change({ page, search }, "replace"),
  };
}

/** An address with some parameters set, and without those that are undefined; the others stay. */
export function withParams(address: URLSearchParams, values: Record<string, string | undefined>): URLSearchParams {
  const written = new URLSearchParams(address);
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) written.delete(name);
    else written.set(name, value);
  }
  return written;
}
