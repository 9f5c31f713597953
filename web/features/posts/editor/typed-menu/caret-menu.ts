import "./caret-menu.css";

/** One line of the menu. */
export interface Choice {
  title: string;
  /** Drawn in front of it: an icon of ours, or a character. */
  sign: { svg: string } | { character: string };
  /** What can be typed instead. */
  hint?: string;
}

export interface CaretMenu {
  readonly isOpen: boolean;
  /** Shows these, the first one chosen, at a piece of the text; it stays there while others are shown. */
  show(choices: readonly Choice[], text: HTMLElement, at: Range): void;
  move(by: number): void;
  /** The place of the chosen one. */
  readonly chosen: number;
  hide(): void;
}

const gap = 6; // px between the line and the menu
const edge = 8; // px to the window's edges
const tallest = 352; // px
const leastRoom = 200; // px that are enough below

let made = 0;

/**
 * A list at the caret that is steered from the text: the caret never leaves it, and the text says which line is chosen (aria-activedescendant).
 * Opened upwards it stands on the line, so that it does not go away from the caret when it gets shorter.
 */
export function createCaretMenu(holder: HTMLElement, label: string, onPick: (place: number) => void): CaretMenu {
  const id = `caret-menu-${++made}`;
  const list = Object.assign(document.createElement("div"), {
    id,
    className: "caret-menu",
    role: "listbox",
    ariaLabel: label,
    tabIndex: 0,
  });
  let text: HTMLElement | null = null;
  let side: "below" | "above" | null = null;
  let chosen = 0;

  const lines = () => [...list.children] as HTMLElement[];
  const choose = (place: number) => {
    chosen = place;
    lines().forEach((line, index) => line.setAttribute("aria-selected", String(index === place)));
    const line = lines()[place];
    if (!line) return;
    text?.setAttribute("aria-activedescendant", line.id);
    if (line.offsetTop < list.scrollTop) list.scrollTop = line.offsetTop - 4;
    else if (line.offsetTop + line.offsetHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = line.offsetTop + line.offsetHeight - list.clientHeight + 4;
  };
  const lineOf = ({ title, sign, hint }: Choice, index: number) => {
    const line = Object.assign(document.createElement("div"), { id: `${id}-${index}`, className: "caret-menu-line", role: "option" });
    const front = Object.assign(document.createElement("span"), { className: "caret-menu-sign", ariaHidden: "true" });
    if ("svg" in sign) front.innerHTML = sign.svg;
    else front.textContent = sign.character;
    line.append(front, Object.assign(document.createElement("span"), { className: "caret-menu-title", textContent: title }));
    if (hint)
      line.append(Object.assign(document.createElement("kbd"), { className: "caret-menu-hint", textContent: hint, ariaHidden: "true" }));
    return line;
  };
  const place = (at: Range) => {
    const line = at.getBoundingClientRect();
    const around = holder.getBoundingClientRect();
    const view = window.visualViewport;
    const bottomBar = barOf(holder, "--bottom-bar") + barOf(holder, "--actions-bar"); // what lies over the window's end
    const [top, bottom] = [view?.offsetTop ?? 0, (view?.offsetTop ?? 0) + (view?.height ?? window.innerHeight) - bottomBar];
    const below = bottom - line.bottom - gap - edge;
    const above = line.top - top - gap - edge;
    side ??= below >= leastRoom || below >= above ? "below" : "above";
    list.style.maxHeight = `${Math.max(96, Math.min(tallest, side === "below" ? below : above))}px`;
    list.style.top = side === "below" ? `${line.bottom - around.top + gap}px` : "";
    list.style.bottom = side === "above" ? `${around.bottom - line.top + gap}px` : "";
    const most = Math.min(around.width, document.documentElement.clientWidth - edge - around.left) - list.offsetWidth;
    list.style.left = `${Math.max(0, Math.min(line.left - around.left, most))}px`;
  };

  // The caret stays in the text, and Editor.js hears nothing of it.
  list.addEventListener("mousedown", (event) => {
    event.preventDefault();
    event.stopPropagation();
  });
  list.addEventListener("mousemove", ({ target, movementX, movementY }) => {
    const line = target instanceof Element ? target.closest<HTMLElement>(".caret-menu-line") : null;
    if (line && (movementX !== 0 || movementY !== 0)) choose(lines().indexOf(line)); // not when the list moves under a resting mouse
  });
  list.addEventListener("click", ({ target }) => {
    const line = target instanceof Element ? target.closest<HTMLElement>(".caret-menu-line") : null;
    if (line) onPick(lines().indexOf(line));
  });

  return {
    get isOpen() {
      return list.isConnected;
    },
    get chosen() {
      return chosen;
    },
    show(choices, now, at) {
      if (text !== now) this.hide();
      text = now;
      list.replaceChildren(...choices.map(lineOf));
      if (!list.isConnected) holder.append(list);
      text.setAttribute("aria-controls", id);
      text.setAttribute("aria-autocomplete", "list");
      place(at);
      list.scrollTop = 0;
      choose(0);
    },
    move(by) {
      const count = lines().length;
      choose((chosen + by + count) % count);
    },
    hide() {
      list.remove();
      side = null;
      for (const name of ["aria-controls", "aria-autocomplete", "aria-activedescendant"]) text?.removeAttribute(name);
      text = null;
    },
  };
}

/** The height of a bar in px; the styles have it in px or in rem. */
function barOf(holder: HTMLElement, name: string): number {
  const height = getComputedStyle(holder).getPropertyValue(name).trim();
  const rem = height.endsWith("rem") ? parseFloat(getComputedStyle(document.documentElement).fontSize) : 1;
  return parseFloat(height) * rem || 0;
}
