import type { Page } from "playwright";
import { searchDebounceMs } from "../../../web/lib/timings.ts";

/** Milliseconds from choosing a filter of the posts table to the frame that shows what it finds. */
export const chooseFilter = (page: Page, label: string, value: string): Promise<number> => page.evaluate(act, { label, value });

/** The same for a search text, from the end of the pause in which more letters could come. */
export const typeSearch = async (page: Page, text: string): Promise<number> =>
  (await page.evaluate(act, { label: "Search posts", value: text })) - searchDebounceMs;

/** Runs in the page: the table says when its rows are those of the last search; a message is handled after the frame is painted. */
function act({ label, value }: { label: string; value: string }): Promise<number> {
  const field = document.querySelector<HTMLInputElement | HTMLSelectElement>(`[role=search] [aria-label="${label}"]`)!;
  const table = document.querySelector("table[aria-busy]")!;
  return new Promise((resolve, reject) => {
    const patience = setTimeout(() => reject(new Error(`no new rows for ${label} ${value}`)), 10_000);
    let began = 0;
    let asked = false;
    new MutationObserver((_, observer) => {
      asked ||= table.getAttribute("aria-busy") === "true";
      if (!asked || table.getAttribute("aria-busy") === "true") return;
      observer.disconnect();
      clearTimeout(patience);
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - began);
        port2.postMessage(undefined);
      });
    }).observe(table, { attributeFilter: ["aria-busy"] });
    const prototype = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLSelectElement.prototype;
    const write = Object.getOwnPropertyDescriptor(prototype, "value")!.set!;
    began = performance.now();
    write.call(field, value);
    field.dispatchEvent(new Event(field instanceof HTMLInputElement ? "input" : "change", { bubbles: true }));
  });
}
