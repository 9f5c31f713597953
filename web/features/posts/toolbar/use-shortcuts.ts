import { useEffect } from "react";
import { useLatest } from "../../../lib/use-latest.ts";

export interface Shortcuts {
  onSave?(): void;
  onPublish?(): void;
  onSearch?(): void;
  onFocus?(): void;
  /** Opens the next (1) or previous (-1) post. */
  onNeighbour?(step: 1 | -1): void;
}

/** Ctrl/Cmd+S, Ctrl/Cmd+Enter, Ctrl/Cmd+K, Ctrl/Cmd+\, Alt+Page Up and Alt+Page Down, unless a dialog is open. */
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
    document.addEventListener("keydown", onKeyDown, true); // before the block editor's own shortcuts
    return () => document.removeEventListener("keydown", onKeyDown, true);
  }, [latest]);
}

function actionFor(event: KeyboardEvent, { onSave, onPublish, onSearch, onFocus, onNeighbour }: Shortcuts): (() => void) | undefined {
  const command = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
  if (command && isLetter(event, "s")) return onSave;
  if (command && event.key === "Enter") return submitsOnEnter(event) ? undefined : onPublish;
  if (isSearchKey(event) && !hasSelectedText()) return onSearch;
  if (command && (event.key === "\\" || event.code === "Backslash")) return onFocus;
  const step = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.repeat ? steps[event.key] : undefined;
  return step !== undefined && onNeighbour ? () => onNeighbour(step) : undefined;
}

/** A field that handles Ctrl/Cmd+Enter itself. */
const submitsOnEnter = ({ target }: KeyboardEvent): boolean => target instanceof Element && target.matches("[data-sends]");
const steps: Readonly<Record<string, 1 | -1>> = { PageDown: 1, PageUp: -1 };

export const isSearchKey = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && isLetter(event, "k");

/** True if editor text is selected: the key then creates a link. */
function hasSelectedText(): boolean {
  const selection = getSelection();
  if (!selection || selection.isCollapsed) return false;
  const { anchorNode } = selection;
  const element = anchorNode instanceof Element ? anchorNode : anchorNode?.parentElement;
  return !!element?.closest('[contenteditable]:not([contenteditable="false"])');
}

/** Ignores Caps Lock. On a layout without Latin letters the physical key counts. */
function isLetter({ key, code }: KeyboardEvent, letter: string): boolean {
  return key.toLowerCase() === letter || (!/^[a-z]$/i.test(key) && code === `Key${letter.toUpperCase()}`);
}
