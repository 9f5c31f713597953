import { type RefObject, useEffect, useState } from "react";

/** Tops of rendered blocks in px, relative to the article. */
export type BlockPlaces = ReadonlyMap<string, number>;

const none: BlockPlaces = new Map();

/** Measures the given blocks of an article; null until its editor has rendered. */
export function useBlockPlaces(article: RefObject<HTMLElement | null>, ids: readonly string[]): BlockPlaces | null {
  const [places, setPlaces] = useState<BlockPlaces | null>(null);
  const idList = ids.join(" ");

  useEffect(() => {
    const root = article.current;
    if (!root) return;
    const requested = idList === "" ? [] : idList.split(" ");
    let frame = 0;
    const measure = () => {
      frame = 0;
      if (!root.querySelector(".post-editor:not([hidden]) .ce-block")) return setPlaces(null);
      const { top } = root.getBoundingClientRect();
      const tops = requested.flatMap((id) => {
        const block = root.querySelector(`.ce-block[data-id="${CSS.escape(id)}"]`);
        return block ? [[id, Math.round(block.getBoundingClientRect().top - top)] as const] : [];
      });
      setPlaces((before) => (before && isSame(before, tops) ? before : tops.length === 0 ? none : new Map(tops)));
    };
    const schedule = () => {
      frame ||= requestAnimationFrame(measure);
    };
    measure();
    const resized = new ResizeObserver(schedule);
    const changed = new MutationObserver(schedule);
    resized.observe(root);
    const text = root.querySelector("[data-text]") ?? root;
    changed.observe(text, { childList: true, subtree: true, attributes: true, attributeFilter: ["hidden"] });
    return () => {
      cancelAnimationFrame(frame);
      resized.disconnect();
      changed.disconnect();
    };
  }, [article, idList]);

  return places;
}

const isSame = (before: BlockPlaces, tops: readonly (readonly [string, number])[]): boolean =>
  before.size === tops.length && tops.every(([id, top]) => before.get(id) === top);
