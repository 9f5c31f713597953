/** What Editor.js acts on wherever the focus is: these keys lead from block to block. */
const keys = new Set(["Tab", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]);
/** A key that an input method has taken: Editor.js leaves it alone. Source: UI Events, 7.3.1 "keyCode". */
const inputMethod = 229;

/**
 * Editor.js keeps the block that was written in last and hands it the keys of the whole page: Tab in a dialog moves on in the text behind it,
 * and an arrow key in the title can lead into the text. For the moment in which its listener on the document runs, such a key says
 * that it is no key; everybody after it, and the browser, sees the real one. Returns how to end this.
 */
export function keepKeysElsewhere(holder: HTMLElement): () => void {
  const mask = (event: KeyboardEvent) => {
    if (!keys.has(event.key) || (event.target instanceof Node && holder.contains(event.target))) return;
    Object.defineProperty(event, "keyCode", { value: inputMethod, configurable: true });
  };
  const unmask = (event: KeyboardEvent) => void Reflect.deleteProperty(event, "keyCode");
  const root = document.documentElement; // the next one to be asked after the document
  window.addEventListener("keydown", mask, true);
  root.addEventListener("keydown", unmask, true);
  return () => {
    window.removeEventListener("keydown", mask, true);
    root.removeEventListener("keydown", unmask, true);
  };
}
