const tokenBytes = 32;
const shape = /^[\w-]{43}$/;

const randomBytes = (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length));

export const makePreviewToken = (bytes: (length: number) => Uint8Array = randomBytes): string =>
  btoa(String.fromCharCode(...bytes(tokenBytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

export const isPreviewToken = (text: string): boolean => shape.test(text);

export async function hashOfPreviewToken(token: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const previewPath = (token: string): string => `/releases/preview/${token}`;
