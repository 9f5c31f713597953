import { useCallback, useLayoutEffect, useState } from "react";
import { readStored, writeStored } from "../../../lib/storage.ts";

/** What can be put away beside the text: the app's menu, the list of posts, or with `focus` everything but the post itself. */
const parts = ["menu", "list", "focus"] as const;
export type Part = (typeof parts)[number];

export interface Columns {
  isAway(part: Part): boolean;
  toggle(part: Part): void;
}

const key = "tc:columns";

const stored = (): ReadonlySet<Part> => {
  const kept = readStored("local", key)?.split(" ") ?? [];
  return new Set(parts.filter((part) => kept.includes(part)));
};

/**
 * Remembers in this browser what was put away. The frame around the page knows nothing of it: while the area is on the screen the document says
 * it, and changelog-layout.module.css does the rest.
 */
export function useColumns(): Columns {
  const [away, setAway] = useState(stored);

  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    dataset.away = [...away].join(" ");
    return () => void delete dataset.away;
  }, [away]);

  const toggle = useCallback((part: Part) => {
    setAway((before) => {
      const after = new Set(before);
      if (!after.delete(part)) after.add(part);
      writeStored("local", key, after.size === 0 ? null : [...after].join(" "));
      return after;
    });
  }, []);
  return { isAway: (part) => away.has(part), toggle };
}
