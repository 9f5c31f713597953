let pressed = false;
addEventListener("pointerdown", () => (pressed = true), true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => (pressed = false), true);

/** Defers layout changes until the pointer is released: moving a button while it is pressed would lose the click. */
export function afterPointer(act: () => void): void {
  if (!pressed) return act();
  addEventListener("pointerup", () => setTimeout(act), { once: true });
}
