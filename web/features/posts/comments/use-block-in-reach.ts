import { type RefObject, useEffect, useState } from "react";
import { blockInHand } from "./use-comments.ts";

/** The block that can be commented on with one press: under the mouse, else the one with the caret. */
export function useBlockInReach(article: RefObject<HTMLElement | null>, enabled: boolean): string | null {
  const [id, setId] = useState<string | null>(null);

  useEffect(() => {
    const root = article.current;
    if (!root || !enabled) return;
    const onPointerMove = ({ target, pointerType }: PointerEvent) => {
      if (pointerType !== "mouse" || !(target instanceof Element)) return;
      const block = target.closest<HTMLElement>(".post-editor .ce-block");
      if (block?.dataset.id) setId(block.dataset.id);
    };
    const onSelection = () => {
      const { blockId } = blockInHand() ?? {};
      if (blockId) setId(blockId);
    };
    root.addEventListener("pointermove", onPointerMove);
    document.addEventListener("selectionchange", onSelection);
    return () => {
      root.removeEventListener("pointermove", onPointerMove);
      document.removeEventListener("selectionchange", onSelection);
    };
  }, [article, enabled]);

  return enabled ? id : null;
}
