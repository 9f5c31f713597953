/** Milliseconds. Source: specification, section 9. */
export const tooltipShowMs = 150;
export const tooltipHideMs = 300;
export const dialogCloseMs = 100;
