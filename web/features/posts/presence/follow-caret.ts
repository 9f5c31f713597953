import { presenceTypingMs } from "#contract/presence.ts";
import { type Doing, nothing } from "../../presence/use-presence.ts";

/** The block of the editor that something stands in. */
export const blockOf = (node: Node | null): HTMLElement | null =>
  (node instanceof Element ? node : (node?.parentElement ?? null))?.closest<HTMLElement>(".ce-block[data-id]") ?? null;

export const idOf = (block: HTMLElement | null): string | null => block?.dataset.id ?? null;

/** The block with the caret or the keyboard's focus, of the editor inside `area`. */
export function caretBlock(area: HTMLElement): HTMLElement | null {
  const focused = document.activeElement;
  return focused && area.contains(focused) ? blockOf(focused) : null;
}

/** Tells where somebody is in title and text, and whether they type. Returns how to stop. */
export function followCaret(area: HTMLElement, tell: (doing: Doing) => void): () => void {
  let doing = nothing;
  let rest: ReturnType<typeof setTimeout> | undefined;

  const set = (next: Doing) => {
    doing = next;
    tell(next);
  };
  const look = () => {
    if (!area.contains(document.activeElement)) return;
    const blockId = idOf(caretBlock(area));
    if (!doing.isEditing || blockId !== doing.blockId) set({ isEditing: true, blockId, isTyping: false });
  };
  const onInput = ({ target }: Event) => {
    const blockId = target instanceof Node ? idOf(blockOf(target)) : null;
    set({ isEditing: true, blockId, isTyping: blockId !== null });
    clearTimeout(rest);
    rest = setTimeout(() => set({ ...doing, isTyping: false }), presenceTypingMs);
  };
  const onFocusOut = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && area.contains(relatedTarget)) return;
    clearTimeout(rest);
    set(nothing);
  };

  area.addEventListener("focusin", look);
  area.addEventListener("focusout", onFocusOut);
  area.addEventListener("input", onInput);
  document.addEventListener("selectionchange", look);
  look();
  return () => {
    clearTimeout(rest);
    area.removeEventListener("focusin", look);
    area.removeEventListener("focusout", onFocusOut);
    area.removeEventListener("input", onInput);
    document.removeEventListener("selectionchange", look);
    set(nothing);
  };
}
