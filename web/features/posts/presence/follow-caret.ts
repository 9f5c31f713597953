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

/** The title and the body; the buttons of tags and details between them are neither. */
const writingFields = "[data-writing-field], .codex-editor";
const isWritingField = (target: EventTarget | null): boolean => target instanceof Element && target.closest(writingFields) !== null;

/** Tells where the person is in title and body, and whether they type. Returns a function that stops it. */
export function followCaret(area: HTMLElement, tell: (doing: Doing) => void): () => void {
  let doing = nothing;
  let rest: ReturnType<typeof setTimeout> | undefined;

  const set = (next: Doing) => {
    doing = next;
    tell(next);
  };
  const look = () => {
    if (!area.contains(document.activeElement) || !isWritingField(document.activeElement)) return;
    const blockId = idOf(caretBlock(area));
    if (!doing.isEditing || blockId !== doing.blockId) set({ isEditing: true, blockId, isTyping: false });
  };
  const onInput = ({ target }: Event) => {
    if (!isWritingField(target)) return;
    const blockId = target instanceof Node ? idOf(blockOf(target)) : null;
    set({ isEditing: true, blockId, isTyping: blockId !== null });
    clearTimeout(rest);
    rest = setTimeout(() => set({ ...doing, isTyping: false }), presenceTypingMs);
  };
  const onFocusOut = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && area.contains(relatedTarget) && isWritingField(relatedTarget)) return;
    clearTimeout(rest);
    if (doing.isEditing) set(nothing);
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
