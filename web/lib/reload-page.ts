/** Begins the page afresh. */
export const reloadPage = (): void => window.location.reload();
