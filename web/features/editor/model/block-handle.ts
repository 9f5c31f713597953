import type EditorJS from "@editorjs/editorjs";

const threshold = 6; // px before a press becomes a drag
const handleClass = ".ce-toolbar__settings-btn";

/** Where a block dragged to a height would stand: the number of blocks whose middle lies above it. `boxes` from top to bottom. */
export function dropPlace(boxes: readonly { top: number; height: number }[], y: number): number {
  return boxes.filter(({ top, height }) => top + height / 2 < y).length;
}

/**
 * The handle beside a block: a drag moves the block, a line shows where to; a click or a key opens its settings, whose "Move up" and
 * "Move down" do the same without a mouse. Editor.js by itself opens the settings at the press. Returns how to stop.
 */
export function listenToBlockHandle(holder: HTMLElement, editor: EditorJS): () => void {
  const line = Object.assign(document.createElement("div"), { className: "post-editor-drop" });
  let drag: { from: number; startY: number; to: number | null } | null = null;
  let dragged = false; // the click that ends a drag is none

  const handleOf = (event: Event) => (event.target instanceof Element ? event.target.closest<HTMLElement>(handleClass) : null);

  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0 || !handleOf(event)) return;
    dragged = false;
    drag = { from: editor.blocks.getCurrentBlockIndex(), startY: event.clientY, to: null };
    window.addEventListener("pointermove", onPointerMove);
    window.addEventListener("pointerup", onPointerUp);
    window.addEventListener("pointercancel", endDrag);
  };
  const onPointerMove = ({ clientY }: PointerEvent) => {
    if (!drag || (drag.to === null && Math.abs(clientY - drag.startY) < threshold)) return;
    const boxes = [...holder.querySelectorAll(".ce-block")].map((block) => block.getBoundingClientRect());
    drag.to = dropPlace(boxes, clientY);
    dragged = true;
    line.style.top = `${(boxes[drag.to]?.top ?? boxes.at(-1)?.bottom ?? 0) - holder.getBoundingClientRect().top}px`;
    holder.append(line);
  };
  const onPointerUp = () => {
    const { from, to } = drag ?? { from: 0, to: null };
    endDrag();
    if (to !== null && to !== from && to !== from + 1) editor.blocks.move(to > from ? to - 1 : to, from);
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
