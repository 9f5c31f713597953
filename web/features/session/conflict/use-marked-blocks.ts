import { useEffect, type RefObject } from "react";
import "./conflict.module.css";

/** Marks blocks with unresolved conflicts, also after Editor.js re-renders them. */
export function useMarkedBlocks(place: RefObject<HTMLElement | null>, ids: readonly string[], words: string): void {
  const list = ids.join(" ");
  useEffect(() => {
    const root = place.current;
    if (!root || list === "") return;
    const conflicting = new Set(list.split(" "));
    const marked = new Set<HTMLElement>();
    const mark = () => {
      for (const block of root.querySelectorAll<HTMLElement>(".ce-block")) {
        if (!conflicting.has(block.dataset.id ?? "") || block.dataset.changedToo !== undefined) continue;
        block.dataset.changedToo = words;
        marked.add(block);
      }
    };
    mark();
    const observer = new MutationObserver(mark);
    const blocks = root.querySelector(".codex-editor__redactor");
    if (blocks) observer.observe(blocks, { childList: true });
    return () => {
      observer.disconnect();
      for (const block of marked) delete block.dataset.changedToo;
    };
  }, [place, list, words]);
}
