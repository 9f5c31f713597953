export const searchDebounceMs = 300;
export const presenceReconnectMs = 3_000;
export const relativeTimeRefreshMs = 30_000;
export const postLoginRedirectDelayMs = 600;
export const onboardingStepMs = 500;
export const pageLoadingMs = 1_000;
export const toastMs = 4_000;
export const toastErrorMs = 5_000;
export const toastSuccessMs = 3_000;
/** Longer than a success: leaves time to press the button. */
export const toastActionMs = 10_000;
export const highlightMs = 600;
export const deletionAnimationMs = 500;
export const botCheckTimeoutMs = 10_000;
export const resendPauseMs = 30_000;
export const teamRefreshMs = 10_000;
export const copiedMs = 3_000;
export const mobileBreakpointPx = 768;
