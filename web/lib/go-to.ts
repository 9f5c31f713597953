/** Leaves the app for another address. */
export const goTo = (url: string): void => window.location.assign(url);

/** Begins the app anew at another address of its own, which takes the place of this one in the history. */
export const startOver = (path: string): void => window.location.replace(path);
