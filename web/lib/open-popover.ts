/** Shows a `popover="manual"` element in the top layer: no z-index or clipping, and it stays inside its landmark. */
export function openPopover(element: HTMLElement | null): void {
  element?.showPopover?.();
}
