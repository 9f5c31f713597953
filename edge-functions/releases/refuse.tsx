/** @jsxImportSource preact */
import type { VNode } from "preact";
import { errorCatalogue, type ErrorCode } from "#contract/errors.ts";
import { hostVary } from "./answer.ts";
import { SuspendedPage } from "./pages/note-pages.tsx";
import { renderPage } from "./pages/render.tsx";
import type { Styled } from "./pages/style.ts";
import { types } from "./resource.ts";
import { pageHeaders } from "./security-headers.ts";

export function refuse(
  path: string,
  code: ErrorCode,
  page: VNode | null,
  more: Record<string, string> = {},
  appearance: Styled | null = null,
): Response {
  const { status, sentence } = errorCatalogue[code];
  const forPeople = page !== null && (!path.includes(".") || path.startsWith("/releases/compare/"));
  const text = forPeople ? renderPage(page) : JSON.stringify({ error: sentence, code });
  const type = forPeople ? { "content-type": types.html, ...pageHeaders(appearance) } : { "content-type": types.json };
  return new Response(text, { status, headers: { ...type, "cache-control": "no-store", ...hostVary, ...more } });
}

export const refuseSuspended = (path: string, more: Record<string, string> = {}): Response =>
  refuse(path, "changelog_unavailable", <SuspendedPage />, more);

export const redirect = (to: string, more: Record<string, string> = {}): Response =>
  new Response(null, {
    status: 301,
    headers: { location: to, "cache-control": "public, max-age=0, s-maxage=60", ...hostVary, ...more },
  });

/** To a page of a private changelog, with the reader's cookie. */
export const enter = (to: string, cookie: string): Response =>
  new Response(null, {
    status: 303,
    headers: { location: to, "set-cookie": cookie, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });

export function withVia(address: string, { searchParams }: URL): string {
  const via = searchParams.get("via");
  return via === null ? address : `${address}${address.includes("?") ? "&" : "?"}${new URLSearchParams({ via })}`;
}
