/** A CAA record, as Deno answers it. */
export interface CaaRecord {
  critical: boolean;
  tag: string;
  value: string;
}

/** Asks the DNS; null where there are no such records. Throws when it cannot be asked. Only index.ts names Deno; tests have their own. */
export interface Dns {
  texts(name: string, signal: AbortSignal): Promise<string[] | null>;
  names(name: string, kind: "CNAME" | "NS" | "A" | "AAAA", signal: AbortSignal): Promise<string[] | null>;
  caa(name: string, signal: AbortSignal): Promise<CaaRecord[] | null>;
}

const nowhere = () => Promise.reject(new Error("there is no DNS here"));
/** For programs that only list the routes. */
export const withoutDns: Dns = { texts: nowhere, names: nowhere, caa: nowhere };
