import type EditorJS from "@editorjs/editorjs";

const threshold = 6; // px before a press becomes a drag
const handleClass = ".ce-toolbar__settings-btn";

/** The blocks from top to bottom. */
type Boxes = readonly { top: number; height: number }[];

/** Where a block dragged to a height would stand: the number of blocks whose middle lies above it. */
export function dropPlace(boxes: Boxes, y: number): number {
  return boxes.filter(({ top, height }) => top + height / 2 < y).length;
}

/** The block that the handle belongs to; it need not be the one with the caret. The handle stands beside its first line, on a phone below it. */
export function blockOfHandle(boxes: Boxes, handle: { top: number; height: number }): number {
  return boxes.filter(({ top }) => top < handle.top + handle.height / 4).length - 1;
}

/**
 * The handle beside a block: a drag moves the block, a line shows where to; a click or a key opens its settings, whose "Move up" and
 * "Move down" do the same without a mouse. Editor.js by itself opens the settings at the press. Returns how to stop.
 */
export function listenToBlockHandle(holder: HTMLElement, editor: EditorJS): () => void {
  const line = Object.assign(document.createElement("div"), { className: "post-editor-drop" });
  let drag: { from: number; startY: number; to: number | null } | null = null;
  let dragged = false; // the click that ends a drag is none

  const boxesNow = () => [...holder.querySelectorAll(".ce-block")].map((block) => block.getBoundingClientRect());
  const handleOf = (event: Event) => (event.target instanceof Element ? event.target.closest<HTMLElement>(handleClass) : null);

  const onPointerDown = (event: PointerEvent) => {
    const handle = handleOf(event);
    if (event.button !== 0 || !handle) return;
    dragged = false;
    drag = { from: blockOfHandle(boxesNow(), handle.getBoundingClientRect()), startY: event.clientY, to: null };
    window.addEventListener("pointermove", onPointerMove);
    window.addEventListener("pointerup", onPointerUp);
    window.addEventListener("pointercancel", endDrag);
  };
  const onPointerMove = ({ clientY }: PointerEvent) => {
    if (!drag || (drag.to === null && Math.abs(clientY - drag.startY) < threshold)) return;
    const boxes = boxesNow();
    drag.to = dropPlace(boxes, clientY);
    dragged = true;
    line.style.top = `${(boxes[drag.to]?.top ?? boxes.at(-1)?.bottom ?? 0) - holder.getBoundingClientRect().top}px`;
    holder.append(line);
  };
  const onPointerUp = () => {
    const { from, to } = drag ?? { from: 0, to: null };
    endDrag();
    if (from >= 0 && to !== null && to !== from && to !== from + 1) {
      editor.blocks.move(to > from ? to - 1 : to, from);
      editor.toolbar.close(); // it stands where the block was
    }
  };
  const endDrag = () => {
    drag = null;
    line.remove();
    window.removeEventListener("pointermove", onPointerMove);
    window.removeEventListener("pointerup", onPointerUp);
    window.removeEventListener("pointercancel", endDrag);
  };

  const onMouseDown = (event: MouseEvent) => {
    if (!event.isTrusted || !handleOf(event)) return;
    event.stopPropagation();
    event.preventDefault(); // the caret stays where it is
  };
  const onClick = (event: MouseEvent) => {
    const handle = handleOf(event);
    if (!handle || dragged) return;
    handle.dispatchEvent(new MouseEvent("mousedown", { cancelable: true })); // what Editor.js waits for
  };

  holder.addEventListener("pointerdown", onPointerDown, true);
  holder.addEventListener("mousedown", onMouseDown, true);
  holder.addEventListener("click", onClick, true);
  return () => {
    endDrag();
    holder.removeEventListener("pointerdown", onPointerDown, true);
    holder.removeEventListener("mousedown", onMouseDown, true);
    holder.removeEventListener("click", onClick, true);
  };
}
