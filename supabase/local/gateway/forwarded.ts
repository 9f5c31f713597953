import type { IsFrontDoor } from "../service/front-door.ts";

export interface Forwarded {
  requestId: string;
  host: string;
  clientAddress: string;
  scheme: "http" | "https";
}

/** Trusts X-Forwarded headers only from the front door, and the `proxies`-th X-Forwarded-For entry from the right: others can be forged. */
export function readForwarded(headers: Headers, peer: string, isFrontDoor: IsFrontDoor, proxies = 1): Forwarded {
  const isBelieved = isFrontDoor(peer);
  const believed = (name: string) => (isBelieved ? headers.get(name) : null);
  const id = believed("x-request-id") ?? "";
  return {
    requestId: /^[\w-]{8,64}$/.test(id) ? id : crypto.randomUUID(),
    host: believed("x-forwarded-host") ?? headers.get("host") ?? "",
    clientAddress: clientOf(believed("x-forwarded-for"), proxies) || peer,
    scheme: believed("x-forwarded-proto") === "https" ? "https" : "http",
  };
}

function clientOf(header: string | null, proxies: number): string {
  const entries = (header ?? "").split(",").map((entry) => entry.trim());
  return entries.at(-proxies) ?? entries[0] ?? "";
}

/** Hop-by-hop headers, and headers that a client could forge. */
const dropped = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "host",
  "forwarded",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-for",
  "x-forwarded-port",
  "x-real-ip",
  "sb-forwarded-for",
  "x-request-id",
  "accept-encoding",
]);

export function forwardedHeaders(headers: Headers, { requestId, host, clientAddress, scheme }: Forwarded): Headers {
  const listed = (headers.get("connection") ?? "").split(",").map((name) => name.trim().toLowerCase());
  const forwarded = [...headers].filter(([name]) => !dropped.has(name) && !listed.includes(name));
  return new Headers([
    ...forwarded,
    ["x-request-id", requestId],
    ["x-forwarded-host", host],
    ["x-forwarded-proto", scheme],
    ["x-forwarded-for", clientAddress],
  ]);
}
