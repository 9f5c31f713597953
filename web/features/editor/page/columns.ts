import { useCallback, useLayoutEffect, useState } from "react";
import { readStored, writeStored } from "../../../lib/storage.ts";

const parts = ["list", "focus"] as const;
type Part = (typeof parts)[number];

export interface Columns {
  isHidden(part: Part): boolean;
  toggle(part: Part): void;
}

const key = "tc:columns";
const stored = (): ReadonlySet<Part> => {
  const hidden = readStored("local", key)?.split(" ") ?? [];
  return new Set(parts.filter((part) => hidden.includes(part)));
};

/** Hidden columns, stored in localStorage. In focus mode, the document's `data-focus` tells the frame (app/frame.module.css). */
export function useColumns(enabled: boolean): Columns {
  const [hidden, setHidden] = useState(stored);
  const focuses = enabled && hidden.has("focus");
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    if (focuses) dataset.focus = "";
    return () => void delete dataset.focus;
  }, [focuses]);
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
