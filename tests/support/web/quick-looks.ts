import { configure } from "@testing-library/react";

/** Prints the page only when an error is read: each poll of waitFor throws one, and printing is slow. */
export function useQuickErrors(): void {
  configure(({ getElementError }) => ({
    getElementError: (message, container) => {
      const error = Object.assign(new Error(), { name: "TestingLibraryElementError" });
      let said: string | undefined;
      Object.defineProperty(error, "message", {
        get: () => (said ??= getElementError(message, container).message),
        set: (words: string) => {
          said = words;
        },
      });
      return error;
    },
  }));
}

function setUnread(this: HTMLStyleElement): void {
  this.setAttribute("type", "text/unread");
}

/** Skips libraries' style sheets, which slow jsdom down (see quick-styles.ts). */
export function useNoSheets(): void {
  Object.defineProperty(HTMLStyleElement.prototype, "type", {
    get: () => "text/css",
    set: setUnread,
  });
}
