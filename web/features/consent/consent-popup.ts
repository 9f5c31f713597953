import { createListeners } from "../../lib/listeners.ts";
import { paths } from "../../lib/paths.ts";
import { readConsent } from "./consent.ts";

// Whether the popup is open: until somebody has chosen, and again whenever they want to change their mind.
let open: boolean | undefined;
const changes = createListeners();

function set(value: boolean): void {
  open = value;
  changes.tell();
}

/** What an assistant may do is a question itself, and on a phone the popup would lie over its answers: it waits until that page is left. */
const waits = (): boolean => location.pathname + location.search === paths.authorize(location.search.slice(1));

/** That page was left. */
export const consentMayBeAsked = changes.tell;

export const askForConsent = (): void => set(true);
export const closeConsent = (): void => set(false);

/** For useSyncExternalStore. */
export const consentPopup = {
  isOpen: () => (open ??= readConsent() === null) && !waits(),
  subscribe: changes.listen,
};
