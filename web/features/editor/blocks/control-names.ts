export type Name = (element: HTMLElement) => void;
export type ControlName = readonly [selector: string, name: Name];

/** For mouse-only controls; the block's settings offer the same. */
export const mouseOnly: Name = (element) => {
  element.setAttribute("aria-hidden", "true");
  element.tabIndex = -1;
};

export const button =
  (label: string): Name =>
  (element) => {
    if (!element.matches("button")) element.setAttribute("role", "button");
    element.setAttribute("aria-label", label);
    element.title = label;
    element.tabIndex = 0;
    if (!element.matches("button")) element.addEventListener("keydown", clickByKey);
  };

export const field =
  (label: string): Name =>
  (element) =>
    element.setAttribute("aria-label", label);

/** Role and name of an editable text; a caption keeps its role when its block is rendered again. */
export const textbox =
  (label: string): Name =>
  (element) => {
    if (!element.isContentEditable && element.getAttribute("contenteditable") !== "true") return;
    element.setAttribute("role", "textbox");
    element.setAttribute("aria-multiline", "true");
    element.setAttribute("aria-label", label);
  };

function clickByKey(event: KeyboardEvent): void {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  event.stopPropagation();
  (event.currentTarget as HTMLElement).click();
}
