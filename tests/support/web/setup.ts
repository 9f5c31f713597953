import "fake-indexeddb/auto";
import { cleanup, configure } from "@testing-library/react";
import { toast } from "sonner";
import { afterAll, afterEach, beforeEach, vi } from "vitest";
import { sessionCookie } from "#contract/session-cookies.ts";
import { shortPauses, withPauses } from "./pauses.ts";
import { useNoSheets, useQuickErrors } from "./quick-looks.ts";
import { useQuickStyles } from "./quick-styles.ts";

vi.mock("../../../web/lib/timings.ts", async (original) => withPauses(await original<object>()));

configure({ asyncUtilTimeout: 60_000 }); // the timeout allows for compiling lazy pages on a busy machine

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
  }); // fires immediately
HTMLElement.prototype.showPopover = function () {
  this.removeAttribute("popover"); // jsdom hides popovers
};
URL.createObjectURL = () => "blob:preview";
URL.revokeObjectURL = () => undefined;

export const matchingMedia = new Set<string>();
window.matchMedia = (query) =>
  Object.assign(new EventTarget(), {
    media: query,
    matches: matchingMedia.has(query),
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });

export const forgetSessionCookie = (): void => void (document.cookie = `${sessionCookie}=; path=/; max-age=0`);

beforeEach(() => {
  shortPauses();
  matchingMedia.clear();
  localStorage.clear();
  sessionStorage.clear();
  document.cookie = `${sessionCookie}=session; path=/`; // the stubs decide if it is valid
});
/** One hook, as hooks run last first. The press ends focus tracking, which lasts until the next input. */
afterEach(() => {
  cleanup();
  document.dispatchEvent(new Event("pointerdown"));
});
afterEach(() => void toast.dismiss()); // unread toasts would appear in the next test
/** Sonner removes a dismissed toast after 200 ms, which must happen before the file's page is gone. */
afterAll(async () => {
  if (toast.getHistory().length > 0) await new Promise((resolve) => setTimeout(resolve, 250));
});
