const gap = 8; // px between a menu and its handle or the window's edge

/**
 * Keeps menus inside the window: Editor.js always opens a block's menu below its handle. On a phone they open from the bottom (editor.css).
 * Returns a cleanup function.
 */
export function keepMenusInWindow(holder: HTMLElement): () => void {
  const observer = new MutationObserver((records) => {
    for (const { target } of records) {
      if (!(target instanceof HTMLElement)) continue;
      if (target.matches(".ce-settings .ce-popover--opened")) place(target);
      else if (target.matches(".ce-popover--inline.ce-popover--opened")) moveIntoWindow(target);
    }
  });
  observer.observe(holder, { attributes: true, attributeFilter: ["class"], subtree: true });
  return () => observer.disconnect();
}

/** Editor.js measures the inline toolbar before its styles widen it. */
function moveIntoWindow(menu: HTMLElement): void {
  const toolbar = menu.closest<HTMLElement>(".ce-inline-toolbar");
  const box = boxOf(menu);
  if (!toolbar || !box) return;
  const beyond = box.getBoundingClientRect().right + gap - document.documentElement.clientWidth;
  if (beyond > 0) toolbar.style.left = `${Number.parseFloat(toolbar.style.left) - beyond}px`;
}

const boxOf = (menu: Element | null | undefined) => menu?.querySelector<HTMLElement>(":scope > .ce-popover__container");

function place(menu: HTMLElement): void {
  const box = boxOf(menu);
  const items = box?.querySelector(".ce-popover__items");
  const around = box?.offsetParent?.getBoundingClientRect();
  if (!box || !items || !around || window.matchMedia("(max-width: 650px)").matches) return;

  const top = (document.querySelector("[role=toolbar]")?.getBoundingClientRect().bottom ?? 0) + gap;
  const bottom = window.innerHeight - gap;
  menu.style.setProperty("--max-height", `${bottom - top}px`);
  const height = box.offsetHeight + items.scrollHeight - items.clientHeight; // unscrolled height
  const inside = (y: number) => `${Math.max(top, Math.min(y, bottom - height)) - around.top}px`;

  const parent = boxOf(menu.parentElement?.closest(".ce-popover"));
  if (parent) {
    const { left, right } = parent.getBoundingClientRect();
    const { offsetWidth: width } = box;
    box.style.left = `${(right + width < window.innerWidth ? right : left - width) - around.left}px`;
    box.style.top = inside(around.top + Number.parseFloat(menu.style.getPropertyValue("--trigger-item-top")));
  } else if (around.bottom + gap + height <= bottom) {
    box.style.top = `${around.height + gap}px`;
  } else if (around.top - gap - height >= top) {
    box.style.top = "auto";
    box.style.bottom = `${around.height + gap}px`;
  } else {
    box.style.top = inside(around.top);
    box.style.left = `${around.width}px`;
  }
}
