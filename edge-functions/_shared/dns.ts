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
