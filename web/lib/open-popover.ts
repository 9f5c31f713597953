/**
 * Lifts an element with `popover="manual"` above everything else, wherever it stands in the document:
 * no z-index, no clipping, and it stays inside its landmark for assistive technology. React removes it by not rendering it.
 */
export function openPopover(element: HTMLElement | null): void {
  element?.showPopover?.();
}
