import { useEffect } from "react";
import { useLatest } from "../lib/use-latest.ts";

const patienceMs = 1_500; // between the keys of a sequence

/**
 * Keys one after the other, e.g. "g d" or "c", while no field, menu or dialog has the focus. Null: switched off. On pages with an editor they act
 * only while the list of posts has the focus: a writer's words must never be taken for shortcuts.
 */
export function useKeySequences(sequences: Readonly<Record<string, () => void>> | null, isEditorPage = false): void {
  const latest = useLatest({ sequences, isEditorPage });
  useEffect(() => {
    let begun = { keys: "", at: 0 };
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
      const keys = Date.now() - begun.at < patienceMs && begun.keys !== "" ? `${begun.keys} ${event.key}` : event.key;
      const act = sequences[keys] ?? sequences[event.key];
      const begins = Object.keys(sequences).some((sequence) => sequence.startsWith(`${keys} `));
      begun = { keys: begins ? keys : "", at: Date.now() };
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [latest]);
}

/** Whether letters mean something where the focus is. */
function isTaken(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"][aria-modal="true"]')) return true;
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest("input, textarea, select, [role=menu], [role=listbox]") !== null)
  );
}

const isInPostList = (target: EventTarget | null): boolean => target instanceof Element && target.closest("[data-post-list]") !== null;
