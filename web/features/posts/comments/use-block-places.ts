import { type RefObject, useEffect, useState } from "react";

/** Of blocks that are on the screen: how far below the article's top each begins. */
export type BlockPlaces = ReadonlyMap<string, number>;

const none: BlockPlaces = new Map();

/**
 * Follows where blocks stand in an article; null until its editor shows any. Only those that are asked for are measured: a post may have a
 * thousand.
 */
export function useBlockPlaces(article: RefObject<HTMLElement | null>, ids: readonly string[]): BlockPlaces | null {
  const [places, setPlaces] = useState<BlockPlaces | null>(null);
  const asked = ids.join(" ");

  useEffect(() => {
    const root = article.current;
    if (!root) return;
    const wanted = asked === "" ? [] : asked.split(" ");
    let frame = 0;
    const measure = () => {
      frame = 0;
      if (!root.querySelector(".post-editor:not([hidden]) .ce-block")) return setPlaces(null);
      const { top } = root.getBoundingClientRect();
      const found = wanted.flatMap((id) => {
        const block = root.querySelector(`.ce-block[data-id="${CSS.escape(id)}"]`);
        return block ? [[id, Math.round(block.getBoundingClientRect().top - top)] as const] : [];
      });
      setPlaces((before) => (before && isSame(before, found) ? before : found.length === 0 ? none : new Map(found)));
    };
    const soon = () => {
      frame ||= requestAnimationFrame(measure);
    };
    measure();
    const resized = new ResizeObserver(soon); // whatever grows, the article does
    const changed = new MutationObserver(soon);
    resized.observe(root);
    const text = root.querySelector("[data-text]") ?? root;
    changed.observe(text, { childList: true, subtree: true, attributes: true, attributeFilter: ["hidden"] });
    return () => {
      cancelAnimationFrame(frame);
      resized.disconnect();
      changed.disconnect();
    };
  }, [article, asked]);

  return places;
}

const isSame = (before: BlockPlaces, found: readonly (readonly [string, number])[]): boolean =>
  before.size === found.length && found.every(([id, top]) => before.get(id) === top);
