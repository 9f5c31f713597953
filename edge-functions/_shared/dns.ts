export interface CaaRecord {
  critical: boolean;
  tag: string;
  value: string;
}

/** null if there are no records; throws if DNS fails. Injected, so only index.ts uses Deno */
export interface Dns {
  texts(name: string, signal: AbortSignal): Promise<string[] | null>;
  names(name: string, kind: "CNAME" | "NS" | "A" | "AAAA", signal: AbortSignal): Promise<string[] | null>;
  caa(name: string, signal: AbortSignal): Promise<CaaRecord[] | null>;
}

const nowhere = () => Promise.reject(new Error("DNS isn't available here"));
export const withoutDns: Dns = { texts: nowhere, names: nowhere, caa: nowhere };

/** The records, [] if there are none; null on a failure or timeout. */
export async function within<T>(ms: number, question: (signal: AbortSignal) => Promise<T[] | null>): Promise<T[] | null> {
  const signal = AbortSignal.timeout(ms);
  const late = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }));
  try {
    return (await Promise.race([question(signal), late])) ?? [];
  } catch {
    return null;
  }
}
