import { createListeners } from "../../lib/listeners.ts";
import { paths } from "../../lib/paths.ts";
import { readConsent } from "./consent.ts";

// Open until the user chooses, and again on request.
let open: boolean | undefined;
const changes = createListeners();

function set(value: boolean): void {
  open = value;
  changes.notify();
}

/** Deferred on the assistants' consent page, where the popup would cover the answers on phones. */
const isDeferred = (): boolean => location.pathname + location.search === paths.authorize(location.search.slice(1));

/** Call when that page closes. */
export const recheckConsent = changes.notify;

export const askForConsent = (): void => set(true);
export const closeConsent = (): void => set(false);

/** For useSyncExternalStore. */
export const consentPopup = {
  isOpen: () => (open ??= readConsent() === null) && !isDeferred(),
  subscribe: changes.listen,
};
