import { isReaderKey, readerLinkPath } from "#contract/rules/reader-access.ts";
import { clientAddress } from "../../_shared/client-address.ts";
import { locked } from "../queries/releases.ts";
import type { Sql } from "../queries/database.ts";
import { enter } from "../refuse.tsx";
import { isReading } from "../routes.ts";
import type { Addresses } from "../site.ts";
import { readForm } from "../subscriptions/form.ts";
import type { Call, Visit, WorkspacePages } from "../workspace-pages.tsx";
import { keyForPassword } from "./queries.ts";
import { readerCookie } from "./reader-key.ts";

interface Around {
  pages: WorkspacePages;
  sql: Sql;
  addresses: Addresses;
  proxies: number;
  rateLimitScale: number;
}

/** The page that asks for access, its form (`password`, `to`, `forget`; `action` leave signs out), and the secret link. */
export async function answerAccess(
  call: Call,
  visit: Visit,
  { pages, sql, addresses, proxies, rateLimitScale }: Around,
): Promise<Response> {
  const { raw: request } = call.req;
  const { naming } = visit;
  const { searchParams, pathname } = call.get("url");
  const site = addresses.siteOf(naming, null);
  const home = site.path("/releases");
  if (isReading(request)) {
    const key = pathname.slice(readerLinkPath("").length);
    const isOpened = isReaderKey(key) && (await isOpen(pages, { naming: { ...naming, key } }));
    if (isOpened) return enter(placeOf(searchParams.get("to")) ?? home, readerCookie(site, key));
    return (await isOpen(pages, visit)) ? enter(home, readerCookie(site, naming.key ?? "")) : await pages.askForAccess(call, visit);
  }
  if (request.method !== "POST")
    return new Response(null, { status: 405, headers: { allow: "GET, HEAD, POST", "cache-control": "no-store" } });
  const form = await readForm(request);
  const typed = (name: string): string => String(form?.get(name) ?? "");
  if (typed("action") === "leave") return enter(home, readerCookie(site, ""));
  const to = placeOf(typed("to"));
  const network = clientAddress(request.headers, proxies);
  const key = await keyForPassword(sql, naming.subdomain, typed("password").slice(0, 200), network, rateLimitScale);
  if (key === null) return await pages.askForAccess(call, visit, { status: 422, problem: "wrong", to });
  if (key === "later") return await pages.askForAccess(call, visit, { status: 429, problem: "later", to });
  return enter(to ?? home, readerCookie(site, key, form?.has("forget")));
}

async function isOpen(pages: WorkspacePages, visit: Visit): Promise<boolean> {
  const version = await pages.version(visit);
  return version !== null && version !== locked;
}

/** A path of this host. */
const placeOf = (to: string | null): string | null => (to !== null && /^\/(?![/\\])[^\\\s]{0,500}$/.test(to) ? to : null);
