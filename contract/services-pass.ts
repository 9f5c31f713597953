/**
 * The header in which a function shows the embedded stack that it is the one who calls REST or Storage. What functions ask is bounded, whoever makes them ask;
 * what somebody with a session asks past /api is not, and waits in turns (supabase/local/gateway/service-load.ts).
 */
export const passHeader = "x-tidings-pass";
