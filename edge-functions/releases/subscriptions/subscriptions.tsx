/** @jsxImportSource preact */
import type { VNode } from "preact";
import { appearanceOfRow } from "#contract/appearance-choices.ts";
import { rateLimits, scaledSize } from "#contract/rate-limits.ts";
import { isFrequency, isSubscriptionAction } from "#contract/subscriptions.ts";
import { clientAddress } from "../../_shared/client-address.ts";
import { NotFoundPage } from "../pages/note-pages.tsx";
import { renderPage } from "../pages/render.tsx";
import type { Sql } from "../queries/database.ts";
import { type PublicWorkspace, releaseTags, seenByMembers } from "../queries/releases.ts";
import { types } from "../resource.ts";
import { pageHeaders } from "../security-headers.ts";
import type { Site } from "../site.ts";
import { readForm, tagsOf, wishOf } from "./form.ts";
import { AskedPage, isDone, NoSubscriptionPage, SubscribePage, SubscriptionPage } from "./pages.tsx";
import { askSubscription, changeSubscription, findSubscription, type Subscription } from "./queries.ts";

/** URLs with a dot can't collide with slugs. */
export type SubscriptionPlace = { kind: "ask" } | { kind: "form" } | { kind: "own"; token: string };

export const subscriptionRoute = (path: string): string | null =>
  path.startsWith("/releases/subscription/")
    ? "/releases/subscription/{token}"
    : /^\/releases\/subscribe(?:\.html)?$/.test(path)
      ? path
      : null;

export interface SubscriptionVisit {
  sql: Sql;
  site: Site;
  workspace: PublicWorkspace | undefined;
  proxies: number;
  rateLimitScale: number;
}

const secret = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
};

function page(workspace: PublicWorkspace | undefined, element: VNode, status = 200): Response {
  return new Response(renderPage(element), {
    status,
    headers: { ...secret, ...pageHeaders(workspace?.appearance ?? null), "content-type": types.html },
  });
}

const seeOther = (location: string): Response => new Response(null, { status: 303, headers: { ...secret, location } });

const notAllowed = (allow: string): Response => new Response(null, { status: 405, headers: { ...secret, allow } });

/** GET and HEAD change nothing; the link is the credential. 404 for an unknown token or without email, 405, 422 with the form. */
export async function answerSubscription(
  request: Request,
  url: URL,
  place: SubscriptionPlace,
  visit: SubscriptionVisit,
): Promise<Response> {
  const reads = request.method === "GET" || request.method === "HEAD";
  if (!reads && request.method !== "POST") return notAllowed("GET, HEAD, POST");
  if (place.kind === "own") return reads ? await show(url, place.token, visit) : await act(request, place.token, visit);
  const { workspace, site, sql } = visit;
  if (workspace === undefined || !workspace.mails)
    return page(workspace, <NotFoundPage branded={workspace ? { workspace, site } : null} />, 404);
  if (place.kind === "form") {
    if (!reads) return notAllowed("GET, HEAD");
    if (url.searchParams.has("asked")) return page(workspace, <AskedPage {...{ workspace, site }} />);
    return page(workspace, <SubscribePage {...{ workspace, site }} tags={await releaseTags(sql, workspace)} />);
  }
  return await ask(request, workspace, visit);
}

async function ask(
  request: Request,
  workspace: PublicWorkspace,
  { sql, site, proxies, rateLimitScale }: SubscriptionVisit,
): Promise<Response> {
  const form = await readForm(request);
  const { typed, wish, isMachine } = form === null ? { typed: "", wish: null, isMachine: false } : wishOf(form);
  if (wish === null) {
    const tags = await releaseTags(sql, workspace);
    const frequency = form?.get("frequency");
    const chosen = form === null ? undefined : { frequency: isFrequency(frequency) ? frequency : ("instant" as const), tags: tagsOf(form) };
    return page(workspace, <SubscribePage {...{ workspace, site, tags, chosen }} wrong={typed} />, 422);
  }
  const { address, account } = rateLimits.subscribe;
  const limits = { network: scaledSize(address, rateLimitScale), address: scaledSize(account, rateLimitScale) };
  if (!isMachine) await askSubscription(sql, workspace.reader, wish, clientAddress(request.headers, proxies), limits);
  return seeOther(site.path("/releases/subscribe.html", { asked: 1 }));
}

async function show(url: URL, token: string, visit: SubscriptionVisit): Promise<Response> {
  const subscription = await findSubscription(visit.sql, visit.site.subdomain, token);
  if (subscription === undefined) return nobody(visit, url.searchParams.get("done") === "erase");
  const workspace = visit.workspace ?? closed(subscription, visit.site);
  const tags = await releaseTags(visit.sql, workspace);
  const asDone = url.searchParams.get("done");
  const done = isDone(asDone) ? asDone : null;
  return page(workspace, <SubscriptionPage {...{ workspace, site: visit.site, subscription, token, tags, done }} />);
}

/** Subscribers can unsubscribe even while the changelog is off. */
const closed = ({ workspace_id: id, workspace_name: name }: Subscription, { subdomain }: Site): PublicWorkspace => ({
  ...{ id, name, subdomain, origin: null, logo_url: null, allowed_origins: [], settings: {}, version_tag: "", mails: false },
  ...seenByMembers({ subdomain }),
  appearance: appearanceOfRow(null),
  domain: null,
});

function nobody({ workspace, site }: SubscriptionVisit, erased = false): Response {
  const element = workspace ? <NoSubscriptionPage {...{ workspace, site, erased }} /> : <NotFoundPage branded={null} />;
  return page(workspace, element, erased ? 200 : 404);
}

/** RFC 8058 one-click: always 200, idempotent. */
async function act(request: Request, token: string, visit: SubscriptionVisit): Promise<Response> {
  const { sql, site } = visit;
  const form = await readForm(request);
  if (form?.get("List-Unsubscribe") === "One-Click") {
    await changeSubscription(sql, site.subdomain, token, "leave");
    return new Response(null, { status: 200, headers: secret });
  }
  const action = form?.get("action");
  if (action === "export") return await exported(token, visit);
  if (form === null || !isSubscriptionAction(action)) return await show(new URL(request.url), token, visit);
  const frequency = form.get("frequency");
  const chosen = action === "save" ? { frequency: isFrequency(frequency) ? frequency : null, tags: tagsOf(form) } : {};
  if (!(await changeSubscription(sql, site.subdomain, token, action, chosen))) return nobody(visit);
  return seeOther(site.path(`/releases/subscription/${token}`, { done: action }));
}

async function exported(token: string, visit: SubscriptionVisit): Promise<Response> {
  const subscription = await findSubscription(visit.sql, visit.site.subdomain, token);
  if (subscription === undefined) return nobody(visit);
  const { workspace_id: _, workspace_name: workspace, workspace_subdomain: __, ...stored } = subscription;
  return new Response(JSON.stringify({ workspace, ...stored }, null, 2), {
    headers: { ...secret, "content-type": types.json, "content-disposition": 'attachment; filename="subscription.json"' },
  });
}
