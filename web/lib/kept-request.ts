import { z } from "zod";
import { paths } from "./paths.ts";
import { readStored, writeStored } from "./storage.ts";

/** What assistants have asked for while nobody was signed in, or had no workspace yet; the latest first. */
const requests = z.array(z.object({ id: z.string(), query: z.string(), at: z.number() }));

const key = "tc:oauthRequests";
const keptForMs = 3_600_000;
const keptAtOnce = 5;

function kept(): z.infer<typeof requests> {
  try {
    const read = requests.parse(JSON.parse(readStored("local", key) ?? "[]"));
    return read.filter(({ at }) => Date.now() - at < keptForMs && at <= Date.now());
  } catch {
    return []; // written by an older version
  }
}

/**
 * Keeps a request on its way through signing in or signing up, and answers the address where it goes on: a short one, because the long one would
 * have to travel in other addresses, whose length identity providers bound. Without storage it is the long one.
 */
export function keepRequest(query: string): string {
  const others = kept().filter((one) => one.query !== query);
  const id = crypto.randomUUID();
  const list = [{ id, query, at: Date.now() }, ...others].slice(0, keptAtOnce);
  return paths.authorize(writeStored("local", key, JSON.stringify(list)) ? `kept=${id}` : query);
}

export const keptRequest = (id: string): string | null => kept().find((one) => one.id === id)?.query ?? null;

/** The address of the latest one. Whoever began it need not be who is here now: its page asks before anything happens. */
export function latestRequest(): string | null {
  const latest = kept()[0];
  return latest ? paths.authorize(latest.query) : null;
}

/** It was answered. */
export function forgetRequest(query: string): void {
  const others = kept().filter((one) => one.query !== query);
  writeStored("local", key, others.length === 0 ? null : JSON.stringify(others));
}

export const forgetRequests = (): boolean => writeStored("local", key, null);
