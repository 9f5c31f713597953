export interface EarlyKeys {
  text: string;
  entered: boolean;
}

const empty: EarlyKeys = { text: "", entered: false };
const timeoutMs = 10_000;

let buffered = empty;
let running: AbortController | null = null;

/** Buffers keys for a field whose code is still loading, while the focus stays where it is. */
export function bufferEarlyKeys(): void {
  takeEarlyKeys();
  const [keys, from] = [(running = new AbortController()), document.activeElement];
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape" || event.key === "Tab" || document.activeElement !== from) return void takeEarlyKeys();
    const next = append(buffered, event.key);
    if (next === null) return;
    buffered = next;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener("keydown", onKeyDown, { capture: true, signal: keys.signal });
  setTimeout(() => running === keys && takeEarlyKeys(), timeoutMs);
}

function append({ text, entered }: EarlyKeys, key: string): EarlyKeys | null {
  if (entered) return { text, entered };
  if (key.length === 1) return { text: text + key, entered };
  if (key === "Backspace") return { text: [...text].slice(0, -1).join(""), entered };
  return key === "Enter" ? { text, entered: true } : null;
}

export const earlyKeys = (): EarlyKeys => buffered;

/** Stops buffering and returns what was typed. */
export function takeEarlyKeys(): EarlyKeys {
  running?.abort();
  running = null;
  const typed = buffered;
  buffered = empty;
  return typed;
}
