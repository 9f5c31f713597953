import { useCallback, useLayoutEffect, useState } from "react";
import { readStored, writeStored } from "../../../lib/storage.ts";

const parts = ["menu", "list", "focus"] as const;
export type Part = (typeof parts)[number];

export interface Columns {
  isHidden(part: Part): boolean;
  toggle(part: Part): void;
}

const key = "tc:columns";

const stored = (): ReadonlySet<Part> => {
  const hidden = readStored("local", key)?.split(" ") ?? [];
  return new Set(parts.filter((part) => hidden.includes(part)));
};

/** Hidden columns, stored in localStorage. The document's `data-away` passes them to changelog-layout.module.css, because the frame is outside. */
export function useColumns(): Columns {
  const [hidden, setHidden] = useState(stored);

  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    dataset.away = [...hidden].join(" ");
    return () => void delete dataset.away;
  }, [hidden]);

  const toggle = useCallback((part: Part) => {
    setHidden((before) => {
      const after = new Set(before);
      if (!after.delete(part)) after.add(part);
      writeStored("local", key, after.size === 0 ? null : [...after].join(" "));
      return after;
    });
  }, []);
  return { isHidden: (part) => hidden.has(part), toggle };
}
