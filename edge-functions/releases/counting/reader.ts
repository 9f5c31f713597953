import { clientAddress } from "../../_shared/client-address.ts";
import type { Reader } from "./events.ts";

/** Names of browsers are shorter by far. */
const longestAgent = 500;
const longestAddress = 64;

/** Who asks not to be followed is not counted, nor is a page that a browser has only fetched in advance. */
export function mayCount({ method, headers }: Request): boolean {
  const asked = headers.get("dnt") === "1" || headers.get("sec-gpc") === "1";
  const inAdvance = /prefetch|prerender/i.test(headers.get("sec-purpose") ?? headers.get("purpose") ?? headers.get("x-moz") ?? "");
  return method === "GET" && !asked && !inAdvance;
}

/** `proxies`: how many proxies in front each add an entry to X-Forwarded-For. */
export function readerOf(headers: Headers, proxies: number): Reader {
  return {
    address: clientAddress(headers, proxies).slice(0, longestAddress),
    agent: (headers.get("user-agent") ?? "").slice(0, longestAgent),
  };
}

/** Where a reader is, by the word of a delivery network in front, and the language that the browser asks for first. */
export function placeOf(headers: Headers, countries: boolean): Pick<Reader, "country" | "language"> {
  return {
    country: countries ? /^[A-Z]{2}$/.exec(headers.get("cf-ipcountry") ?? "")?.[0] : undefined,
    language: /^\s*([a-z]{2,3})(?![a-z\d])/i.exec(headers.get("accept-language") ?? "")?.[1]?.toLowerCase(),
  };
}
