import { AppError } from "../../../_shared/errors.ts";
import { type Asking, refused } from "../asking.ts";
import { addressOf, type Place, placeOf } from "../address.ts";

/** Where a page has at most a hundred posts, or readers made it: pages that are asked for. An import has 10,000 posts at most. */
export const mostPages = 100;
/** Where a page has ten posts. */
export const mostSmallPages = 1_000;

export function requirePlace(after: string | null, most: number): Place {
  const place = placeOf(after, most);
  if (place === null) throw new AppError("validation_failed", { fields: { after: "This is no place in what is there" } });
  return place;
}

export function requireAddress(asking: Asking, text: string): URL {
  const url = addressOf(text, asking.toPrivate);
  if (text === "" || url === null) throw refused("address", "Please enter a URL that starts with https://");
  return url;
}

export function requireKey(key: string): string {
  if (key === "") throw refused("key", "Please enter a key");
  // It goes into a header, which takes no other signs.
  if (!/^[\x21-\x7e]+$/.test(key)) throw refused("key", "This is no key: it has signs that no key has");
  return key;
}
