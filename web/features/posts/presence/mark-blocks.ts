import type { BlockPeople } from "./people-of-blocks.ts";

/**
 * Marks the blocks of the editor inside `area` with who is in them; block-people.css draws a bar and the names, so that they go with their
 * block wherever it moves. What Editor.js draws anew is marked anew. Returns how to end it.
 */
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
  const isRedrawn = ({ target }: MutationRecord) => target instanceof Element && !target.closest(".ce-block"); // not what is typed in one
  const redrawn = new MutationObserver((changes) => changes.some(isRedrawn) && mark());
  redrawn.observe(area, { childList: true, subtree: true });
  return () => redrawn.disconnect();
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

/** Bar and names are drawn by this one: what others draw by the block itself stays. */
const contentOf = (block: HTMLElement): Element | null => block.querySelector(":scope > .ce-block__content");

/** One piece of the bar for each colour, lighter where the page is dark. */
function barOf({ colours }: BlockPeople): string {
  const part = 100 / colours.length;
  const pieces = colours.map((colour, index) => {
    const shade = `light-dark(${colour}, color-mix(in oklab, ${colour}, white 40%))`;
    return `${shade} ${index * part}% ${(index + 1) * part}%`;
  });
  return `linear-gradient(to bottom, ${pieces.join(", ")})`;
}
