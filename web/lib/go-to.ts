export const goTo = (url: string): void => window.location.assign(url);

/** Restarts the app at another path, which replaces this history entry. */
export const startOver = (path: string): void => window.location.replace(path);
