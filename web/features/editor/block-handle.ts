import type EditorJS from "@editorjs/editorjs";

const threshold = 6; // px before a press becomes a drag
const handleClass = ".ce-toolbar__settings-btn";

type Boxes = readonly { top: number; height: number }[];

export function dropPlace(boxes: Boxes, y: number): number {
  return boxes.filter(({ top, height }) => top + height / 2 < y).length;
}

/** Index of the block that the handle belongs to, not always the one with the caret: level with its first line, on a phone below it. */
export function blockOfHandle(boxes: Boxes, handle: { top: number; height: number }): number {
  return boxes.filter(({ top }) => top < handle.top + handle.height / 4).length - 1;
}

/**
 * Block handle: dragging moves the block, a click or key opens its settings, which also move it. Editor.js alone opens the settings on
 * mousedown. Returns a cleanup function.
 */
export function listenForBlockHandle(holder: HTMLElement, editor: EditorJS): () => void {
  const line = Object.assign(document.createElement("div"), { className: "post-editor-drop" });
  let drag: { from: number; startY: number; to: number | null } | null = null;
  let dragged = false; // ignore the click that ends a drag

  const measureBoxes = () => [...holder.querySelectorAll(".ce-block")].map((block) => block.getBoundingClientRect());
  const handleOf = (event: Event) => (event.target instanceof Element ? event.target.closest<HTMLElement>(handleClass) : null);

  const onPointerDown = (event: PointerEvent) => {
    const handle = handleOf(event);
    if (event.button !== 0 || !handle) return;
    dragged = false;
    drag = { from: blockOfHandle(measureBoxes(), handle.getBoundingClientRect()), startY: event.clientY, to: null };
    window.addEventListener("pointermove", onPointerMove);
    window.addEventListener("pointerup", onPointerUp);
    window.addEventListener("pointercancel", endDrag);
  };
  const onPointerMove = ({ clientY }: PointerEvent) => {
    if (!drag || (drag.to === null && Math.abs(clientY - drag.startY) < threshold)) return;
    const boxes = measureBoxes();
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
      editor.toolbar.close();
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
    event.preventDefault();
  };
  const onClick = (event: MouseEvent) => {
    const handle = handleOf(event);
    if (!handle || dragged) return;
    handle.dispatchEvent(new MouseEvent("mousedown", { cancelable: true })); // opens the settings in Editor.js
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
