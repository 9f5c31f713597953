/** What was typed for a field that was not there yet. */
export interface EarlyKeys {
  text: string;
  /** Enter came behind it. */
  entered: boolean;
}

const nothing: EarlyKeys = { text: "", entered: false };
const patienceMs = 10_000;

let kept = nothing;
let running: AbortController | null = null;

/**
 * From now on keys are kept for a field that was asked for and takes the focus when its part has arrived: else they would go into the page, or
 * nowhere. Only as long as the focus stays where it is, because whoever goes elsewhere means that.
 */
export function keepEarlyKeys(): void {
  endEarlyKeys();
  const [keys, from] = [(running = new AbortController()), document.activeElement];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape" || event.key === "Tab" || document.activeElement !== from) return void endEarlyKeys();
    const next = after(kept, event.key);
    if (next === null) return;
    kept = next;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener("keydown", onKeyDown, { capture: true, signal: keys.signal });
  setTimeout(() => running === keys && endEarlyKeys(), patienceMs);
}

function after({ text, entered }: EarlyKeys, key: string): EarlyKeys | null {
  if (entered) return { text, entered }; // what comes behind it was for what it opens
  if (key.length === 1) return { text: text + key, entered };
  if (key === "Backspace") return { text: [...text].slice(0, -1).join(""), entered };
  return key === "Enter" ? { text, entered: true } : null;
}

/** What was typed until now. */
export const earlyKeys = (): EarlyKeys => kept;

/** The field has the focus: answers what was typed, and keeps no more. */
export function endEarlyKeys(): EarlyKeys {
  running?.abort();
  running = null;
  const typed = kept;
  kept = nothing;
  return typed;
}
