import { useEffect } from "react";
import { useLatest } from "../../../lib/use-latest.ts";

export interface Shortcuts {
  onSave?(): void;
  onPublish?(): void;
  onSearch?(): void;
  onFocus?(): void;
  onNeighbour?(step: 1 | -1): void;
}

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

export const isMac = /mac|iphone|ipad/i.test(navigator.platform);
/** "⌘K" or "Ctrl+K". */
export const commandKey = (key: string): string => (isMac ? `⌘${key.replace("Shift+", "⇧")}` : `Ctrl+${key}`);

const submitsOnEnter = ({ target }: KeyboardEvent): boolean => target instanceof Element && target.matches("[data-sends]");
const steps: Readonly<Record<string, 1 | -1>> = { PageDown: 1, PageUp: -1 };

export const isSearchKey = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && isLetter(event, "k");

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
