import { useEffect } from "react";
import { useLatest } from "../lib/use-latest.ts";

const patienceMs = 1_500; // between the keys of a sequence

/** Keys one after the other, e.g. "g d" or "c", while no field, menu or dialog has the focus. Null: switched off. */
export function useKeySequences(sequences: Readonly<Record<string, () => void>> | null): void {
  const latest = useLatest(sequences);
  useEffect(() => {
    let begun = { keys: "", at: 0 };
    const onKeyDown = (event: KeyboardEvent) => {
      if (
        !latest.current ||
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.repeat ||
        isTaken(event.target)
      )
        return;
      const keys = Date.now() - begun.at < patienceMs && begun.keys !== "" ? `${begun.keys} ${event.key}` : event.key;
      const act = latest.current[keys] ?? latest.current[event.key];
      const begins = Object.keys(latest.current).some((sequence) => sequence.startsWith(`${keys} `));
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
