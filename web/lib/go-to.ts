export const goTo = (url: string): void => window.location.assign(url);

export const startOver = (path: string): void => window.location.replace(path);
