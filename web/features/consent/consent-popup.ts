import { createListeners } from "../../lib/listeners.ts";
import { readConsent } from "./consent.ts";

// Whether the popup is open: until somebody has chosen, and again whenever they want to change their mind.
let open: boolean | undefined;
const changes = createListeners();

function set(value: boolean): void {
  open = value;
  changes.tell();
}

export const askForConsent = (): void => set(true);
export const closeConsent = (): void => set(false);

/** For useSyncExternalStore. */
export const consentPopup = {
  isOpen: () => (open ??= readConsent() === null),
  subscribe: changes.listen,
};
