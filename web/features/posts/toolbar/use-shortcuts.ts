import { useEffect } from "react";
import { useLatest } from "../../../lib/use-latest.ts";

export interface Shortcuts {
  onSave?(): void;
  onPublish?(): void;
  onSearch?(): void;
  onFocus?(): void;
  /** To the post beside this one: 1 down the list, −1 up. */
  onNeighbour?(step: 1 | -1): void;
}

/** Ctrl/Cmd+S, Ctrl/Cmd+Enter, Ctrl/Cmd+K, Ctrl/Cmd+\, Alt+Page Up and Alt+Page Down, as long as no dialog is open. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useLatest(shortcuts);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const act = actionFor(event, latest.current);
      if (!act) return;
      event.preventDefault();
      event.stopPropagation();
      if (!document.querySelector('[role="dialog"][aria-modal="true"]')) act();
    };
    document.addEventListener("keydown", onKeyDown, true); // before the block editor, which has meanings of its own
    return () => document.removeEventListener("keydown", onKeyDown, true);
  }, [latest]);
}

function actionFor(event: KeyboardEvent, { onSave, onPublish, onSearch, onFocus, onNeighbour }: Shortcuts): (() => void) | undefined {
  const command = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
  if (command && isLetter(event, "s")) return onSave;
  if (command && event.key === "Enter") return sendsItself(event) ? undefined : onPublish;
  if (isSearchKey(event) && !hasSelectedText()) return onSearch;
  if (command && (event.key === "\\" || event.code === "Backslash")) return onFocus;
  const step = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.repeat ? steps[event.key] : undefined;
  return step !== undefined && onNeighbour ? () => onNeighbour(step) : undefined;
}

/** A field beside the post that the same keys send. */
const sendsItself = ({ target }: KeyboardEvent): boolean => target instanceof Element && target.matches("[data-sends]");
const steps: Readonly<Record<string, 1 | -1>> = { PageDown: 1, PageUp: -1 };

/** Ctrl or Cmd and K. */
export const isSearchKey = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && isLetter(event, "k");

/** Text of the editor is selected: the key makes a link of it. */
function hasSelectedText(): boolean {
  const selection = getSelection();
  if (!selection || selection.isCollapsed) return false;
  const { anchorNode } = selection;
  const element = anchorNode instanceof Element ? anchorNode : anchorNode?.parentElement;
  return !!element?.closest('[contenteditable]:not([contenteditable="false"])');
}

/** Whatever Caps Lock and the alphabet: on a layout without Latin letters the key counts that has it elsewhere. */
function isLetter({ key, code }: KeyboardEvent, letter: string): boolean {
  return key.toLowerCase() === letter || (!/^[a-z]$/i.test(key) && code === `Key${letter.toUpperCase()}`);
}
