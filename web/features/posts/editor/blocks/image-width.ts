import { imageWidth } from "#contract/blocks/types/image.ts";

const step = 5; // hundredths

/** What a picture's width is changed with: by the mouse, a finger or the arrow keys. */
export interface WidthHandle {
  /** Hundredths of the column; undefined for the picture's own width. */
  readonly value: number | undefined;
  /** Where it works: the block and what is around the picture. */
  stand(block: HTMLElement, picture: HTMLElement, readOnly: boolean): void;
}

/** The picture stands in the middle, so both its sides move. From 90 % on it fills the column. */
export function widthHandle(first: number | undefined, onChange: () => void): WidthHandle {
  let value = imageWidth(first);
  let chosen = value; // not what is shown while it is dragged: the text may be read, saved and remembered for undo meanwhile
  let block: HTMLElement | null = null;
  let picture: HTMLElement | null = null;
  const handle = Object.assign(document.createElement("div"), {
    className: "post-image-width",
    role: "slider",
    tabIndex: 0,
    ariaLabel: "Width of the picture",
    title: "Width: drag, or use the arrow keys",
    ariaValueMin: "10",
    ariaValueMax: "100",
  });

  /** In hundredths, also where nobody has chosen a width. */
  const shown = (): number =>
    value ?? Math.min(100, Math.round((100 * (picture?.clientWidth ?? 0)) / Math.max(1, block?.clientWidth ?? 1)));
  const paint = () => {
    block?.classList.toggle("post-image-sized", value !== undefined);
    if (value !== undefined) block?.style.setProperty("--image-width", `${value}%`);
    handle.ariaValueNow = String(value ?? shown());
    handle.ariaValueText = value === undefined ? "As it is" : value === 100 ? "The whole column" : `${value} %`;
    handle.dataset.width = value === undefined ? "" : `${value} %`;
  };
  const set = (next: number | undefined) => {
    if (next === value) return;
    value = next;
    paint();
  };
  const change = (next: number | undefined) => {
    if (next === chosen) return;
    chosen = next;
    set(next);
    onChange();
    handle.dispatchEvent(new InputEvent("input", { bubbles: true }));
  };

  handle.addEventListener("focus", paint);
  handle.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey) return;
    event.stopPropagation(); // its keys are not the text's
    const wider = { ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step }[event.key];
    const wanted = event.key === "Home" ? 10 : event.key === "End" ? 100 : wider && arrowTo(shown(), wider);
    const isOwn = event.key === "Backspace" || event.key === "Delete"; // back to its own width
    if (wanted === undefined && !isOwn) return;
    event.preventDefault();
    change(isOwn ? undefined : imageWidth(wanted));
  });
  handle.addEventListener("dblclick", () => change(undefined));
  handle.addEventListener("mousedown", (event) => event.stopPropagation()); // Editor.js would begin to select blocks
  handle.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !block) return;
    event.preventDefault();
    handle.focus();
    handle.setPointerCapture(event.pointerId);
    const { left, width } = block.getBoundingClientRect();
    const onMove = ({ clientX }: PointerEvent) =>
      set(imageWidth(Math.min(100, Math.max(10, (200 * Math.abs(clientX - left - width / 2)) / width))));
    const onEnd = ({ type }: PointerEvent) => {
      handle.classList.remove("post-image-width-moving");
      handle.removeEventListener("pointermove", onMove);
      handle.removeEventListener("pointerup", onEnd);
      handle.removeEventListener("pointercancel", onEnd);
      if (type === "pointerup") change(value);
      else set(chosen);
    };
    handle.classList.add("post-image-width-moving");
    handle.addEventListener("pointermove", onMove);
    handle.addEventListener("pointerup", onEnd);
    handle.addEventListener("pointercancel", onEnd);
  });

  return {
    get value() {
      return chosen;
    },
    stand(inBlock, around, readOnly) {
      block = inBlock;
      picture = around;
      if (!readOnly) around.append(handle);
      paint();
    },
  };
}

/** The next step in a direction; down from the whole column to the widest that is less. */
function arrowTo(from: number, by: number): number {
  if (by < 0 && from > 85) return 85;
  return Math.min(100, Math.max(10, from + by));
}
