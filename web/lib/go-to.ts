/** Leaves the app for another address. */
export const goTo = (url: string): void => window.location.assign(url);
