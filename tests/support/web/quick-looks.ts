import { configure } from "@testing-library/react";

/**
 * What waits for an element asks again at every change, and each answer that there is none yet would bring a print of the whole page along:
 * it is printed when somebody reads it, which is when a test has failed.
 */
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

/** Style sheets that libraries put into the page, which nobody asks here (see quick-styles.ts), are not read. */
export function useNoSheets(): void {
  Object.defineProperty(HTMLStyleElement.prototype, "type", {
    get: () => "text/css",
    set: setUnread,
  });
}
