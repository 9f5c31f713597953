/** @jsxImportSource preact */
import { Hono } from "hono";
import { hostQuestion } from "#contract/rules/host-question.ts";
import { describeFault, log, type Log } from "../_shared/log.ts";
import { requestId } from "../_shared/request-id.ts";
import { clientAddress } from "../_shared/client-address.ts";
import { answerAccess } from "./access/access.ts";
import { waitToIdentify } from "./access/queries.ts";
import { readToken } from "./access/reader-token.ts";
import { openToAll } from "./answer.ts";
import { Counts } from "./counting/counts.ts";
import { answerPicture, type Report, reportAt } from "./counting/pixel.ts";
import { answerHost } from "./host-question.ts";
import { answerImage } from "./images.ts";
import { FaultPage } from "./pages/note-pages.tsx";
import { previewPlace, previewRoute } from "./previews/places.ts";
import { Previews } from "./previews/previews.tsx";
import { isUnavailable, type Sql } from "./queries/database.ts";
import { suspended } from "./queries/releases.ts";
import { redirect, refuse, refuseSuspended } from "./refuse.tsx";
import { identifiedWidget, isOurPath, resources } from "./resources.tsx";
import { isReading, pathOf, patternOf } from "./routes.ts";
import { securityHeaders } from "./security-headers.ts";
import { addressesBelow, isLabel } from "./site.ts";
import { subdomainOf } from "./subscriptions/queries.ts";
import { answerSubscription, type SubscriptionPlace, subscriptionRoute } from "./subscriptions/subscriptions.tsx";
import { type Call, type Variables, type Visit, WorkspacePages } from "./workspace-pages.tsx";

/** Without it, scripts could send no headers of their own, such as If-None-Match. */
const preflight = {
  ...openToAll,
  ...{ "access-control-allow-methods": "GET, HEAD", "access-control-allow-headers": "*", "access-control-max-age": "86400" },
};

export interface Options {
  publicUrl: string;
  sql: Sql;
  storageUrl?: string;
  proxies?: number;
  mails?: boolean;
  rateLimitScale?: number;
  now?: () => Date;
  write?: Log;
  countries?: boolean;
  waitUntil?: (work: Promise<unknown>) => void;
}

export interface App {
  fetch(request: Request): Promise<Response>;
}

/** Public pages, feeds and widget data, read as role anon. Readers can only write email subscriptions and comments on previews. */
export function createApp({
  publicUrl,
  sql,
  storageUrl = publicUrl,
  proxies = 1,
  mails = false,
  rateLimitScale = 1,
  now = () => new Date(),
  write = log,
  countries = true,
  waitUntil = () => {},
}: Options): App {
  const addresses = addressesBelow(publicUrl);
  const common = securityHeaders(publicUrl);
  const counts = new Counts({ sql, proxies, countries, write, waitUntil, isOurs: addresses.isOurs });
  const previews = new Previews({ sql, proxies, rateLimitScale });
  const pages = new WorkspacePages({ publicUrl, sql, storageUrl, mails, now, write, waitUntil, addresses, counts, common });

  const subscription = (place: SubscriptionPlace) => async (call: Call, visit: Visit) => {
    const workspace = await pages.workspace(visit);
    const site = addresses.siteOf(visit.naming, workspace?.domain ?? null);
    return await answerSubscription(call.req.raw, call.get("url"), place, { sql, site, workspace, proxies, rateLimitScale });
  };

  const count = (report: Report) =>
    pages.of(
      (call, { naming }) => {
        const time = now();
        const day = time.toISOString().slice(0, 10);
        if (isLabel(naming.subdomain)) counts.picture(call.req.raw, call.get("url").searchParams, naming, report, day);
        return answerPicture(time);
      },
      undefined,
      { isCount: true },
    );

  const app = new Hono<{ Variables: Variables }>({ getPath: ({ url }) => pathOf(url) });

  app.use(async (call, next) => {
    const started = performance.now();
    const id = requestId(call.req.raw.headers);
    call.set("id", id);
    call.set("url", new URL(call.req.url));
    call.set("route", "none");
    await next();
    const { status, headers } = call.res;
    if (status === 304 || headers.has("etag")) return;
    const open = resources[call.get("route")]?.open && openToAll;
    for (const [name, value] of Object.entries({ ...common, ...open, "x-request-id": id })) {
      if (!headers.has(name)) headers.set(name, value); // pages with a secret URL set their own Referrer-Policy
    }
    if (status < 400) return; // the front door logs every request
    const ms = Math.round((performance.now() - started) * 10) / 10;
    const { path, method } = call.req;
    write({ event: "request", id, method, route: subscriptionRoute(path) ?? previewRoute(path) ?? call.get("route"), status, ms });
  });

  app.all("/releases/preview/*", async (call, next) => {
    const place = previewPlace(call.req.path);
    if (place === null) return await next();
    const visit = await pages.named(call);
    const workspaceNaming = visit !== null && isLabel(visit.naming.subdomain) ? visit.naming : null;
    if (visit !== null && (await pages.version(visit)) === suspended) return refuseSuspended(call.req.path);
    const opened = workspaceNaming && { siteFor: (domain: string | null) => addresses.siteOf(workspaceNaming, domain), now: now() };
    return await previews.answer(call.req.raw, call.get("url"), place, opened);
  });
  const access = pages.of(
    (call, visit) => answerAccess(call, visit, { pages, sql, addresses, proxies, rateLimitScale }),
    "/releases/access",
    { asksForAccess: true },
  );
  app.all("/releases/access", access);
  app.all("/releases/access/:key{[\\w-]{1,100}}", access);
  app.post("/releases/subscribe", pages.of(subscription({ kind: "ask" }), "/releases"));
  app.all("/releases/subscribe.html", pages.of(subscription({ kind: "form" })));
  // Without a workspace's host, the token names the workspace. Also answered for suspended ones: readers can always unsubscribe.
  app.all("/releases/subscription/:token{[\\w-]{1,100}}", async (call) => {
    const token = call.req.param("token");
    const visit = (await pages.named(call)) ?? { naming: { subdomain: await subdomainOf(sql, token), by: "query", host: addresses.host } };
    return await subscription({ kind: "own", token })(call, visit);
  });
  app.get("/releases/images/:token{[\\w-]{1,200}}", (call) => answerImage(sql, storageUrl, call.req.param("token")));
  app.post("/releases/widget.json", async (call) => {
    const { raw: request, path } = call.req;
    const wait = await waitToIdentify(sql, clientAddress(request.headers, proxies), rateLimitScale);
    if (wait > 0) return refuse(path, "rate_limited", null, { "retry-after": String(wait) });
    call.set("token", await readToken(request));
    return await pages.read("/releases/widget.json", identifiedWidget)(call);
  });
  app.get(hostQuestion, async (call) => {
    return answerHost(await pages.hasHost(call));
  });
  app.get("/releases/:file{.+\\.gif}", async (call, next) => {
    const report = reportAt(call.req.path);
    return report === undefined ? await next() : await count(report)(call);
  });
  for (const [route, resource] of Object.entries(resources)) {
    app.get(patternOf(route), pages.read(route, resource));
    if (resource.open) app.options(patternOf(route), () => new Response(null, { status: 204, headers: preflight }));
  }

  app.notFound(async (call) => {
    const { raw: request, path } = call.req;
    if (!isOurPath(path)) return await pages.elsewhere(call);
    if (!isReading(request)) return new Response(null, { status: 405, headers: { allow: "GET, HEAD", "cache-control": "no-store" } });
    if (path.endsWith("/")) return redirect(path.replace(/\/+$/, "") + call.get("url").search);
    return await pages.unknownPath(call);
  });
  app.onError((thrown, call) => {
    const soon = isUnavailable(thrown);
    write({ event: "fault", id: call.get("id"), fault: describeFault(thrown) });
    const retry: Record<string, string> = soon ? { "retry-after": "1" } : {};
    return refuse(call.req.path, soon ? "unavailable" : "internal", <FaultPage soon={soon} />, retry);
  });
  return { fetch: async (request) => await app.fetch(request) };
}
