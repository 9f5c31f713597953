import { readConsent } from "./consent.ts";

// Whether the popup is open: until somebody has chosen, and again whenever they want to change their mind.
let open: boolean | undefined;
const listeners = new Set<() => void>();

function set(value: boolean): void {
  open = value;
  listeners.forEach((changed) => changed());
}

export const askForConsent = (): void => set(true);
export const closeConsent = (): void => set(false);

/** For useSyncExternalStore. */
export const consentPopup = {
  isOpen: () => (open ??= readConsent() === null),
  subscribe: (changed: () => void) => {
    listeners.add(changed);
    return () => void listeners.delete(changed);
  },
};
