import { presenceTypingMs } from "#contract/presence.ts";
import { type Doing, nothing } from "./use-presence.ts";

export const blockOf = (node: Node | null): HTMLElement | null =>
  (node instanceof Element ? node : (node?.parentElement ?? null))?.closest<HTMLElement>(".ce-block[data-id]") ?? null;

export const idOf = (block: HTMLElement | null): string | null => block?.dataset.id ?? null;

export function caretBlock(area: HTMLElement): HTMLElement | null {
  const focused = document.activeElement;
  return focused && area.contains(focused) ? blockOf(focused) : null;
}

/** Title and body, without the tags and details between them. */
const writingFields = "[data-writing-field], .codex-editor";
const isWritingField = (target: EventTarget | null): boolean => target instanceof Element && target.closest(writingFields) !== null;

export function followCaret(area: HTMLElement, report: (doing: Doing) => void): () => void {
  let doing = nothing;
  let typingTimer: ReturnType<typeof setTimeout> | undefined;

  const set = (next: Doing) => {
    doing = next;
    report(next);
  };
  const onMove = () => {
    if (!area.contains(document.activeElement) || !isWritingField(document.activeElement)) return;
    const blockId = idOf(caretBlock(area));
    if (!doing.isEditing || blockId !== doing.blockId) set({ isEditing: true, blockId, isTyping: false });
  };
  const onInput = ({ target }: Event) => {
    if (!isWritingField(target)) return;
    const blockId = target instanceof Node ? idOf(blockOf(target)) : null;
    set({ isEditing: true, blockId, isTyping: blockId !== null });
    clearTimeout(typingTimer);
    typingTimer = setTimeout(() => set({ ...doing, isTyping: false }), presenceTypingMs);
  };
  const onFocusOut = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && area.contains(relatedTarget) && isWritingField(relatedTarget)) return;
    clearTimeout(typingTimer);
    if (doing.isEditing) set(nothing);
  };

  area.addEventListener("focusin", onMove);
  area.addEventListener("focusout", onFocusOut);
  area.addEventListener("input", onInput);
  document.addEventListener("selectionchange", onMove);
  onMove();
  return () => {
    clearTimeout(typingTimer);
    area.removeEventListener("focusin", onMove);
    area.removeEventListener("focusout", onFocusOut);
    area.removeEventListener("input", onInput);
    document.removeEventListener("selectionchange", onMove);
    set(nothing);
  };
}
