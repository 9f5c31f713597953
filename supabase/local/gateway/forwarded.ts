import type { IsFrontDoor } from "../service/front-door.ts";

/** What every part behind the gateway is told about the request it gets. */
export interface Forwarded {
  requestId: string;
  /** The host the client named, with the port. */
  host: string;
  clientAddress: string;
  scheme: "http" | "https";
}

/**
 * What a request says of itself, or, when it comes from the front door, what the front door says of it. Of X-Forwarded-For the
 * `proxies`-th entry from the right counts: what stands further left is the client's own word.
 */
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

/** Headers that belong to one connection only, and those that a client could use to lie about itself. */
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

/** The client's headers as the part behind sees them. */
export function forwardedHeaders(headers: Headers, { requestId, host, clientAddress, scheme }: Forwarded): Headers {
  const listed = (headers.get("connection") ?? "").split(",").map((name) => name.trim().toLowerCase());
  const kept = [...headers].filter(([name]) => !dropped.has(name) && !listed.includes(name));
  return new Headers([
    ...kept,
    ["x-request-id", requestId],
    ["x-forwarded-host", host],
    ["x-forwarded-proto", scheme],
    ["x-forwarded-for", clientAddress],
  ]);
}
