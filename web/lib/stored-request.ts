import { z } from "zod";
import { paths } from "./paths.ts";
import { readStored, writeStored } from "./storage.ts";

/** Pending requests of assistants, from before sign-in or the first workspace; latest first. */
const requests = z.array(z.object({ id: z.string(), query: z.string(), at: z.number() }));

const key = "tc:oauthRequests";
const lifetimeMs = 3_600_000;
const maxRequests = 5;

function pendingRequests(): z.infer<typeof requests> {
  try {
    const stored = requests.parse(JSON.parse(readStored("local", key) ?? "[]"));
    return stored.filter(({ at }) => Date.now() - at < lifetimeMs && at <= Date.now());
  } catch {
    return []; // stored by an older version
  }
}

/** Stores a request across sign-in and returns a short URL for it, since identity providers limit URL lengths. The full URL without storage. */
export function storeRequest(query: string): string {
  const others = pendingRequests().filter((one) => one.query !== query);
  const id = crypto.randomUUID();
  const list = [{ id, query, at: Date.now() }, ...others].slice(0, maxRequests);
  return paths.authorize(writeStored("local", key, JSON.stringify(list)) ? `kept=${id}` : query);
}

export const storedRequest = (id: string): string | null => pendingRequests().find((one) => one.id === id)?.query ?? null;

/** URL of the latest request. Possibly another user's, so its page asks for consent. */
export function latestRequest(): string | null {
  const latest = pendingRequests()[0];
  return latest ? paths.authorize(latest.query) : null;
}

export function clearRequest(query: string): void {
  const others = pendingRequests().filter((one) => one.query !== query);
  writeStored("local", key, others.length === 0 ? null : JSON.stringify(others));
}

export const clearRequests = (): boolean => writeStored("local", key, null);
