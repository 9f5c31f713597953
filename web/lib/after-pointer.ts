let pressed = false;
addEventListener("pointerdown", () => (pressed = true), true);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => (pressed = false), true);

/**
 * Acts now, or once the pressed pointer is released and its click was handled. For what appears when a field is left:
 * appearing while a button is being pressed would move the button from under the pointer, and the click would be lost.
 */
export function afterPointer(act: () => void): void {
  if (!pressed) return act();
  addEventListener("pointerup", () => setTimeout(act), { once: true });
}
