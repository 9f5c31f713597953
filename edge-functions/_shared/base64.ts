export type Bytes = ReturnType<TextEncoder["encode"]>;

export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** Ignores whitespace; null if invalid. */
export function fromBase64(text: string): Bytes | null {
  try {
    const decoded = atob(text);
    const bytes = new Uint8Array(decoded.length);
    for (let at = 0; at < decoded.length; at++) bytes[at] = decoded.charCodeAt(at);
    return bytes;
  } catch {
    return null;
  }
}

export const toBase64Url = (bytes: Uint8Array): string => toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

export const fromBase64Url = (text: string): Bytes | null => fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
