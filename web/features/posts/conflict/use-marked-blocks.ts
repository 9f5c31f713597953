import { useEffect, type RefObject } from "react";
import "./marked-blocks.css";

/** Marks blocks that a colleague changed, too, for as long as that is not decided; also when Editor.js draws one of them anew. */
export function useMarkedBlocks(place: RefObject<HTMLElement | null>, ids: readonly string[], words: string): void {
  const list = ids.join(" ");
  useEffect(() => {
    const home = place.current;
    if (!home || list === "") return;
    const wanted = new Set(list.split(" "));
    const marked = new Set<HTMLElement>();
    const mark = () => {
      for (const block of home.querySelectorAll<HTMLElement>(".ce-block")) {
        if (!wanted.has(block.dataset.id ?? "") || block.dataset.changedToo !== undefined) continue;
        block.dataset.changedToo = words;
        marked.add(block);
      }
    };
    mark();
    const watch = new MutationObserver(mark);
    const blocks = home.querySelector(".codex-editor__redactor");
    if (blocks) watch.observe(blocks, { childList: true });
    return () => {
      watch.disconnect();
      for (const block of marked) delete block.dataset.changedToo;
    };
  }, [place, list, words]);
}
