/** Session cookie of @supabase/ssr; long ones are split into `tc-auth.0`, `tc-auth.1` … */
export const sessionCookie = "tc-auth";
/** Value "0" while "Remember me" is off: session cookies then omit Max-Age and Expires. */
export const rememberCookie = "tc-remember";
/** Recognises the browser that signed up when it opens the emailed link. */
export const signUpCookie = "tc-signup";
/** Lets a session that came from a reset link choose a password without the current one. */
export const passwordResetCookie = "tc-reset";
/** A single sign-on under way. */
export const signOnCookie = "tc-sign-on";
/** The provider's sign-out URL, of a session made by single sign-on. */
export const signOutCookie = "tc-sign-out";
export const memberCookie = "tc-member";
