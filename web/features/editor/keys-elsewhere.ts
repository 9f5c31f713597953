/** Keys that Editor.js handles wherever the focus is: they move between blocks. */
const keys = new Set(["Tab", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]);
/** Key code of input methods, which Editor.js ignores. Source: UI Events, 7.3.1 "keyCode". */
const inputMethod = 229;

/**
 * Editor.js handles keys of the whole page: Tab in a dialog moves in the text behind it, an arrow key in the title jumps into the text.
 * Changes the key code only while its document listener runs; other listeners see the real key. Returns a cleanup function.
 */
export function ignoreKeysOutside(holder: HTMLElement): () => void {
  const mask = (event: KeyboardEvent) => {
    if (!keys.has(event.key) || (event.target instanceof Node && holder.contains(event.target))) return;
    Object.defineProperty(event, "keyCode", { value: inputMethod, configurable: true });
  };
  const unmask = (event: KeyboardEvent) => void Reflect.deleteProperty(event, "keyCode");
  const root = document.documentElement; // the next target in the capture phase after the document
  window.addEventListener("keydown", mask, true);
  root.addEventListener("keydown", unmask, true);
  return () => {
    window.removeEventListener("keydown", mask, true);
    root.removeEventListener("keydown", unmask, true);
  };
}
