/** Ways of access to a public changelog. */
export const accessModes = ["public", "unlisted", "link", "password", "token", "members"] as const;
export type Access = (typeof accessModes)[number];

/** True if readers need the link, the password, a token or membership. */
export const isPrivate = (access: Access): boolean => access !== "public" && access !== "unlisted";

/** A reader's key in the secret link and the cookie. */
export const isReaderKey = (text: string): boolean => /^[\w-]{48}$/.test(text);

/** Where the secret link leads. */
export const readerLinkPath = (key: string): string => `/releases/access/${key}`;
