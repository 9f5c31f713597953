export interface Choice {
  title: string;
  sign: { svg: string } | { character: string };
  hint?: string;
}

export interface CaretMenu {
  readonly isOpen: boolean;
  show(choices: readonly Choice[], text: HTMLElement, at: Range): void;
  move(by: number): void;
  readonly chosen: number;
  hide(): void;
}

const gap = 6; // px between the line and the menu
const edge = 8; // px to the window's edges
const maxHeight = 352; // px
const minRoomBelow = 200; // px

let menuCount = 0;

/**
 * A listbox at the caret, controlled from the text by aria-activedescendant: the focus never leaves the text. Opened upwards it is anchored at
 * the bottom, so that it stays at the caret when it gets shorter.
 */
export function createCaretMenu(holder: HTMLElement, label: string, onPick: (place: number) => void): CaretMenu {
  const id = `caret-menu-${++menuCount}`;
  const list = Object.assign(document.createElement("div"), {
    id,
    className: "floating caret-menu",
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
    const holderBox = holder.getBoundingClientRect();
    const view = window.visualViewport;
    const bottomBar = barOf(holder, "--bottom-bar") + barOf(holder, "--actions-bar");
    const [top, bottom] = [view?.offsetTop ?? 0, (view?.offsetTop ?? 0) + (view?.height ?? window.innerHeight) - bottomBar];
    const below = bottom - line.bottom - gap - edge;
    const above = line.top - top - gap - edge;
    side ??= below >= minRoomBelow || below >= above ? "below" : "above";
    list.style.maxHeight = `${Math.max(96, Math.min(maxHeight, side === "below" ? below : above))}px`;
    list.style.top = side === "below" ? `${line.bottom - holderBox.top + gap}px` : "";
    list.style.bottom = side === "above" ? `${holderBox.bottom - line.top + gap}px` : "";
    const maxLeft = Math.min(holderBox.width, document.documentElement.clientWidth - edge - holderBox.left) - list.offsetWidth;
    list.style.left = `${Math.max(0, Math.min(line.left - holderBox.left, maxLeft))}px`;
  };

  // The caret stays in the text, and Editor.js doesn't get the event.
  list.addEventListener("mousedown", (event) => {
    event.preventDefault();
    event.stopPropagation();
  });
  list.addEventListener("mousemove", ({ target, movementX, movementY }) => {
    const line = target instanceof Element ? target.closest<HTMLElement>(".caret-menu-line") : null;
    if (line && (movementX !== 0 || movementY !== 0)) choose(lines().indexOf(line)); // not when the list scrolls under the mouse
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
    show(choices, target, at) {
      if (text !== target) this.hide();
      text = target;
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

function barOf(holder: HTMLElement, name: string): number {
  const height = getComputedStyle(holder).getPropertyValue(name).trim();
  const rem = height.endsWith("rem") ? parseFloat(getComputedStyle(document.documentElement).fontSize) : 1;
  return parseFloat(height) * rem || 0;
}
