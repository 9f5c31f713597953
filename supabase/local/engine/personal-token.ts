const personal = /^bearer\s+(\S+\.\S+\.\S+)$/i;

/** The token of a request's person, unchecked; undefined for keys, which are everybody's, and without one. */
export const personalToken = (headers: Headers): string | undefined => personal.exec(headers.get("authorization") ?? "")?.[1];
