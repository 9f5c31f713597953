import { clientAddress } from "../../_shared/client-address.ts";
import type { Reader } from "./events.ts";

const longestAgent = 500;
const longestAddress = 64;

export function mayCount({ method, headers }: Request): boolean {
  const optsOut = headers.get("dnt") === "1" || headers.get("sec-gpc") === "1";
  const inAdvance = /prefetch|prerender/i.test(headers.get("sec-purpose") ?? headers.get("purpose") ?? headers.get("x-moz") ?? "");
  return method === "GET" && !optsOut && !inAdvance;
}

export function readerOf(headers: Headers, proxies: number): Reader {
  return {
    address: clientAddress(headers, proxies).slice(0, longestAddress),
    agent: (headers.get("user-agent") ?? "").slice(0, longestAgent),
  };
}

/** Country by the CDN's header, and preferred language. */
export function placeOf(headers: Headers, countries: boolean): Pick<Reader, "country" | "language"> {
  return {
    country: countries ? /^[A-Z]{2}$/.exec(headers.get("cf-ipcountry") ?? "")?.[0] : undefined,
    language: /^\s*([a-z]{2,3})(?![a-z\d])/i.exec(headers.get("accept-language") ?? "")?.[1]?.toLowerCase(),
  };
}
