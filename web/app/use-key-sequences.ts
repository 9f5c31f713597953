import { useEffect } from "react";
import { useLatest } from "../lib/use-latest.ts";

const sequenceTimeoutMs = 1_500;

/** Shortcuts such as "g d" or "c" outside fields, menus and dialogs; null switches them off. On editor pages they need focus in the post list. */
export function useKeySequences(sequences: Readonly<Record<string, () => void>> | null, isEditorPage = false): void {
  const latest = useLatest({ sequences, isEditorPage });
  useEffect(() => {
    let pending = { keys: "", at: 0 };
    const onKeyDown = (event: KeyboardEvent) => {
      const { sequences, isEditorPage } = latest.current;
      if (
        !sequences ||
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.repeat ||
        isTaken(event.target) ||
        (isEditorPage && !isInPostList(event.target))
      )
        return;
      const keys = Date.now() - pending.at < sequenceTimeoutMs && pending.keys !== "" ? `${pending.keys} ${event.key}` : event.key;
      const act = sequences[keys] ?? sequences[event.key];
      const begins = Object.keys(sequences).some((sequence) => sequence.startsWith(`${keys} `));
      pending = { keys: begins ? keys : "", at: Date.now() };
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [latest]);
}

function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"][aria-modal="true"]')) return true;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest("input, textarea, select, [role=menu], [role=listbox]") !== null)
  );
}

const isInPostList = (target: EventTarget | null): boolean => target instanceof Element && target.closest("[data-post-list]") !== null;
