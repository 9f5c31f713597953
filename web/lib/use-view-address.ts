import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { searchDebounceMs } from "./timings.ts";
import { useIsCurrentPage } from "./use-is-current-page.ts";

export interface ListView {
  search: string;
  page: number;
}

interface AddressForm<View extends ListView> {
  /** Invalid values become defaults. */
  read: (address: URLSearchParams) => View;
  /** Omits defaults, keeps other parameters. */
  write: (view: View, address: URLSearchParams) => URLSearchParams;
}

/** A list's view in the URL, so links, reload and Back restore it. Debounced while typing: browsers limit URL changes. */
export function useViewAddress<View extends ListView>({ read, write }: AddressForm<View>) {
  const [params, setParams] = useSearchParams();
  const isHere = useIsCurrentPage();
  const view = read(params);
  const [search, setSearch] = useState(view.search);
  const written = useRef(view.search);
  const debounce = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(debounce.current), []);

  // URL changed from outside: a link or Back.
  useEffect(() => {
    if (view.search !== written.current) setSearch(view.search);
    written.current = view.search;
  }, [view.search]);

  function change(changes: Partial<ListView> | Partial<View>, step: "push" | "replace") {
    clearTimeout(debounce.current);
    if (changes.search !== undefined) written.current = changes.search;
    setParams((address) => write({ ...read(address), ...changes }, address), { replace: step === "replace", preventScrollReset: true });
  }

  return {
    written: view,
    view: { ...view, search },
    type(text: string) {
      setSearch(text);
      clearTimeout(debounce.current);
      debounce.current = setTimeout(() => {
        if (isHere()) change({ search: text, page: 1 }, "replace");
      }, searchDebounceMs);
    },
    choose(changes: Partial<View>) {
      if (changes.search !== undefined) setSearch(changes.search);
      change({ search, ...changes, page: 1 }, "push");
    },
    goTo: (page: number) => change({ page, search }, "push"),
    correct: (page: number) => change({ page, search }, "replace"),
  };
}

export function withParams(address: URLSearchParams, values: Record<string, string | undefined>): URLSearchParams {
  const written = new URLSearchParams(address);
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) written.delete(name);
    else written.set(name, value);
  }
  return written;
}
