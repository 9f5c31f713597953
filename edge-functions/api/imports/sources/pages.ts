import { AppError } from "../../../_shared/errors.ts";
import { type SourceClient, refused } from "../source-client.ts";
import { addressOf, type Place, placeOf } from "../address.ts";

/** Page limits: an import has at most 10,000 posts. */
export const mostPages = 100;
export const mostSmallPages = 1_000;

export function requirePlace(after: string | null, most: number): Place {
  const place = placeOf(after, most);
  if (place === null) throw new AppError("validation_failed", { fields: { after: "This isn't a valid cursor" } });
  return place;
}

export function requireAddress(client: SourceClient, text: string): URL {
  const url = addressOf(text, client.toPrivate);
  if (text === "" || url === null) throw refused("address", "Please enter a URL that starts with https://");
  return url;
}

export function requireKey(key: string): string {
  if (key === "") throw refused("key", "Please enter an API key");
  // Sent in a header, so printable ASCII only.
  if (!/^[\x21-\x7e]+$/.test(key)) throw refused("key", "This isn't a valid API key");
  return key;
}
