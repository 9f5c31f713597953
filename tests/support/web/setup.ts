import "fake-indexeddb/auto";
import { cleanup, configure } from "@testing-library/react";
import { toast } from "sonner";
import { afterAll, afterEach, beforeEach, vi } from "vitest";
import { sessionCookie } from "#contract/session-cookies.ts";
import { shortPauses, withPauses } from "./pauses.ts";
import { useNoSheets, useQuickErrors } from "./quick-looks.ts";
import { useQuickStyles } from "./quick-styles.ts";

vi.mock("../../../web/lib/timings.ts", async (original) => withPauses(await original<object>()));

configure({ asyncUtilTimeout: 60_000 }); // lazy pages are compiled on their first import, on a machine that runs other tests too

/** What jsdom has not and the pages need. */
class NoObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
vi.stubGlobal("ResizeObserver", NoObserver);
vi.stubGlobal("IntersectionObserver", NoObserver);
useQuickStyles();
useQuickErrors();
useNoSheets();
window.scrollTo = () => undefined;
Element.prototype.scrollIntoView = () => undefined;
Element.prototype.setPointerCapture = () => undefined;
HTMLDivElement.prototype.animate = () =>
  Object.defineProperty({} as Animation, "onfinish", {
    set: (end: () => void): void => {
      end();
    },
  }); // over at once
HTMLElement.prototype.showPopover = function () {
  this.removeAttribute("popover"); // jsdom hides what has it
};
URL.createObjectURL = () => "blob:preview";
URL.revokeObjectURL = () => undefined;

/** Media queries that hold; a test adds e.g. "(prefers-reduced-motion: reduce)". */
export const matchingMedia = new Set<string>();
window.matchMedia = (query) =>
  Object.assign(new EventTarget(), {
    media: query,
    matches: matchingMedia.has(query),
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });

/** As of a browser that nobody has signed in with. */
export const forgetSessionCookie = (): void => void (document.cookie = `${sessionCookie}=; path=/; max-age=0`);

beforeEach(() => {
  shortPauses();
  matchingMedia.clear();
  localStorage.clear();
  sessionStorage.clear();
  document.cookie = `${sessionCookie}=session; path=/`; // whether it is a good one is the stubs' to say
});
afterEach(cleanup);
afterEach(() => void document.dispatchEvent(new Event("pointerdown"))); // ends what watches the focus until the next input
afterEach(() => void toast.dismiss()); // what was not read yet would be shown again by the next test's page
/** Sonner removes a dismissed message 200 ms later, which must not be after the file's page is gone. */
afterAll(async () => {
  if (toast.getHistory().length > 0) await new Promise((resolve) => setTimeout(resolve, 250));
});
