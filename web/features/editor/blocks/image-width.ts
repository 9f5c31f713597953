import { imageWidth } from "#contract/blocks/types/image.ts";

const step = 5; // percent

export interface WidthHandle {
  /** Percent of the column; undefined for the image's own width. */
  readonly value: number | undefined;
  mount(block: HTMLElement, picture: HTMLElement, readOnly: boolean): void;
}

/** The image is centred, so both sides move. From 90 % on it fills the column. */
export function widthHandle(first: number | undefined, onChange: () => void): WidthHandle {
  let value = imageWidth(first);
  let chosen = value; // not the width during a drag: the text may be saved meanwhile
  let block: HTMLElement | null = null;
  let picture: HTMLElement | null = null;
  const handle = Object.assign(document.createElement("div"), {
    className: "post-image-width",
    role: "slider",
    tabIndex: 0,
    ariaLabel: "Image width",
    title: "Width: drag, or use the arrow keys",
    ariaValueMin: "10",
    ariaValueMax: "100",
  });

  const shown = (): number =>
    value ?? Math.min(100, Math.round((100 * (picture?.clientWidth ?? 0)) / Math.max(1, block?.clientWidth ?? 1)));
  const paint = () => {
    block?.classList.toggle("post-image-sized", value !== undefined);
    if (value !== undefined) block?.style.setProperty("--image-width", `${value}%`);
    handle.ariaValueNow = String(value ?? shown());
    handle.ariaValueText = value === undefined ? "Original size" : value === 100 ? "Full width" : `${value}%`;
    handle.dataset.width = value === undefined ? "" : `${value}%`;
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
    event.stopPropagation(); // keys of the handle aren't for the text
    const wider = { ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step }[event.key];
    const next = event.key === "Home" ? 10 : event.key === "End" ? 100 : wider && arrowTo(shown(), wider);
    const isReset = event.key === "Backspace" || event.key === "Delete";
    if (next === undefined && !isReset) return;
    event.preventDefault();
    change(isReset ? undefined : imageWidth(next));
  });
  handle.addEventListener("dblclick", () => change(undefined));
  handle.addEventListener("mousedown", (event) => event.stopPropagation());
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
    mount(inBlock, frame, readOnly) {
      block = inBlock;
      picture = frame;
      if (!readOnly) frame.append(handle);
      paint();
    },
  };
}

function arrowTo(from: number, by: number): number {
  if (by < 0 && from > 85) return 85;
  return Math.min(100, Math.max(10, from + by));
}
