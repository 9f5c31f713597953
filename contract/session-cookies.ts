/** The cookie of the session, written by @supabase/ssr on either side; longer ones are cut into `tc-auth.0`, `tc-auth.1` … */
export const sessionCookie = "tc-auth";
/** Present (value "0") while "Remember me" was off: whoever writes the session cookie then leaves Max-Age and Expires out. */
export const rememberCookie = "tc-remember";
/** What a browser that signed up is recognised by when it opens the mailed link. */
export const signUpCookie = "tc-signup";
/**
 * The subdomains of the workspaces that a browser was signed in to, joined by dots: public pages offer "Edit this post" by it. It is no secret and
 * proves nothing.
 */
export const memberCookie = "tc-member";
