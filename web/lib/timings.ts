/** Times on the screen, in milliseconds, and where a phone's layout begins. Source: specification, section 9. */
export const searchDebounceMs = 300;
export const presenceReconnectMs = 3_000;
export const relativeTimeRefreshMs = 30_000;
export const postLoginRedirectDelayMs = 600;
export const onboardingStepMs = 500;
export const pageLoadingMs = 1_000;
export const toastMs = 4_000;
export const toastErrorMs = 5_000;
export const toastSuccessMs = 3_000;
/** A message with something to press: three seconds are too short to read it and reach the button. */
export const toastActionMs = 10_000;
export const highlightMs = 600;
export const deletionAnimationMs = 500;
/** How long a bot check may take after somebody wanted to submit. */
export const botCheckPatienceMs = 10_000;
/** Between two mails that somebody asks for. */
export const resendPauseMs = 30_000;
/** How soon the team page notices that an invitation was accepted. */
export const teamRefreshMs = 10_000;
export const copiedMs = 3_000;
export const mobileBreakpointPx = 768;
