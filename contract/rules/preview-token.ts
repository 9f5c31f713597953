/** A link to a preview is its token: 256 random bits, in the letters of base64 that an address takes as they are. */
const tokenBytes = 32;
const shape = /^[\w-]{43}$/;

const randomBytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

export const makePreviewToken = (bytes: (length: number) => Uint8Array = randomBytes): string =>
  btoa(String.fromCharCode(...bytes(tokenBytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** Whether a text can be a token at all: what cannot is refused without a question to the database. */
export const isPreviewToken = (text: string): boolean => shape.test(text);

/** The SHA-256 of a token as hex, by which a link is looked up. */
export async function hashOfPreviewToken(token: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Where a preview is, at its workspace's host. */
export const previewPath = (token: string): string => `/releases/preview/${token}`;
