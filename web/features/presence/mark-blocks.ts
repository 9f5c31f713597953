import type { BlockPeople } from "./people-of-blocks.ts";

/** Marks blocks with the people in them, also after Editor.js re-renders. Returns a cleanup function. */
export function markBlocks(area: HTMLElement, people: ReadonlyMap<string, BlockPeople>): () => void {
  const mark = () => {
    for (const block of area.querySelectorAll<HTMLElement>(".ce-block[data-id]")) {
      const here = people.get(block.dataset.id!);
      if (!here) unmark(block);
      else if (block.dataset.people !== here.label || block.style.getPropertyValue("--people") !== barOf(here)) {
        block.dataset.people = here.label;
        contentOf(block)?.setAttribute("data-names", here.label);
        block.style.setProperty("--person", here.colours[0]!);
        block.style.setProperty("--people", barOf(here));
      }
    }
  };
  mark();
  const isRedrawn = ({ target }: MutationRecord) => target instanceof Element && !target.closest(".ce-block"); // ignore typing inside blocks
  const observer = new MutationObserver((changes) => changes.some(isRedrawn) && mark());
  observer.observe(area, { childList: true, subtree: true });
  return () => observer.disconnect();
}

export function unmarkBlocks(area: HTMLElement): void {
  for (const block of area.querySelectorAll<HTMLElement>(".ce-block[data-people]")) unmark(block);
}

function unmark(block: HTMLElement): void {
  if (block.dataset.people === undefined) return;
  delete block.dataset.people;
  contentOf(block)?.removeAttribute("data-names");
  block.style.removeProperty("--person");
  block.style.removeProperty("--people");
}

const contentOf = (block: HTMLElement): Element | null => block.querySelector(":scope > .ce-block__content");

function barOf({ colours }: BlockPeople): string {
  const part = 100 / colours.length;
  const pieces = colours.map((colour, index) => {
    const shade = `light-dark(${colour}, color-mix(in oklab, ${colour}, white 40%))`;
    return `${shade} ${index * part}% ${(index + 1) * part}%`;
  });
  return `linear-gradient(to bottom, ${pieces.join(", ")})`;
}
