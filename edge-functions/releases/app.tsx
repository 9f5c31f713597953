// @deno-types="@types/react"
import type { ReactElement } from "react";
import { Hono } from "hono";
import { errorCatalogue, type ErrorCode } from "#contract/errors.ts";
import { describeFault, log, type Log } from "../_shared/log.ts";
import { requestId } from "../_shared/request-id.ts";
import { answer } from "./answer.ts";
import { PageCache, type Rendered, rendered } from "./page-cache.ts";
import { AddressPage, FaultPage, NotFoundPage } from "./pages/note-pages.tsx";
import { renderPage } from "./pages/render.tsx";
import { mayRead } from "./presenters/widget-data.ts";
import { isUnavailable, type Sql } from "./queries/database.ts";
import { findWorkspace, type PublicWorkspace } from "./queries/releases.ts";
import { sharing } from "./queries/sharing.ts";
import { listParameters } from "./list-query.ts";
import { type Resource, types } from "./resource.ts";
import { resourceAt } from "./resources.tsx";
import { securityHeaders } from "./security-headers.ts";
import { isLabel, namingOf, type Site, siteOf } from "./site.ts";
import { countReading, readSlug } from "./view-counting.ts";

export interface Options {
  /** Origin of the product. */
  publicUrl: string;
  sql: Sql;
  /** How many proxies in front each add an entry to X-Forwarded-For. */
  proxies?: number;
  now?: () => Date;
  write?: Log;
}

/** The public pages, feeds and widget data. Reads only, as anybody, from the one visibility view. */
export function createApp({ publicUrl, sql, proxies = 1, now = () => new Date(), write = log }: Options): Hono {
  const cache = new PageCache(32_000_000);
  const workspaceOf = sharing((subdomain) => findWorkspace(sql, subdomain));
  const headers = Object.entries(securityHeaders(publicUrl));

  /** What a request gets, without the headers that all answers share. */
  async function respond(request: Request, url: URL, path: string, id: string): Promise<Response> {
    if (request.method !== "GET" && request.method !== "HEAD") {
      return new Response(null, { status: 405, headers: { allow: "GET, HEAD", "cache-control": "no-store" } });
    }
    if (path.length > 1 && path.endsWith("/")) return redirect(path.replace(/\/+$/, "") + url.search);
    const resource = resourceAt(path);
    const nothing = (branded: { workspace: PublicWorkspace; site: Site } | null) =>
      refuse(request, path, "not_found", <NotFoundPage branded={branded} />);

    const naming = namingOf(url, request.headers, publicUrl);
    if (naming === null) {
      return resource?.type === types.html
        ? refuse(request, path, "not_found", <AddressPage host={new URL(publicUrl).host} />)
        : nothing(null);
    }
    const at = now();
    const slug = readSlug(path);
    if (slug !== undefined) {
      const { subdomain } = naming;
      return await countReading(request, {
        sql,
        subdomain,
        slug,
        proxies,
        now: at,
        onFault: (fault) => write({ event: "fault", id, fault }),
      });
    }
    const workspace = isLabel(naming.subdomain) ? await workspaceOf(naming.subdomain) : undefined;
    if (workspace === undefined) return nothing(null);
    const site = siteOf(naming, publicUrl);
    if (resource === null) return nothing({ workspace, site });

    const origin = resource.crossOrigin ? request.headers.get("origin") : null;
    if (origin !== null && !mayRead(origin, workspace, site)) return refuse(request, path, "cross_origin", null, { vary: "Origin" });

    const query = new URLSearchParams([...url.searchParams].filter(([name]) => (listParameters as readonly string[]).includes(name)));
    // All that a rendering depends on; the day, because dates are written as seen from today.
    const key = [
      path,
      query.toString(),
      naming.by,
      naming.subdomain,
      workspace.id,
      workspace.version_tag,
      at.toISOString().slice(0, 10),
    ].join("\n");
    const known = cache.get(key) ?? (await render(resource, { sql, workspace, site, query, now: at }));
    if (known === null) return nothing({ workspace, site });
    if ("moved" in known) return redirect(known.moved);
    cache.set(key, known);
    return answer(
      request,
      known,
      resource.crossOrigin ? { vary: "Origin, X-Forwarded-Host", ...(origin !== null && { "access-control-allow-origin": origin }) } : {},
    );
  }

  const app = new Hono();
  app.all("*", async (context) => {
    const started = performance.now();
    const request = context.req.raw;
    const id = requestId(request.headers);
    const url = new URL(request.url);
    // Hosted, the front door hands every path P of this function on as /releases/_P.
    const path = url.pathname.replace(/^\/releases\/_(?=\/)/, "");
    const response = await respond(request, url, path, id).catch((thrown: unknown) => {
      const soon = isUnavailable(thrown);
      write({ event: "fault", id, fault: describeFault(thrown) });
      return refuse(request, path, soon ? "unavailable" : "internal", <FaultPage soon={soon} />, soon ? { "retry-after": "1" } : {});
    });
    // A 304 leaves in force what the reader got with the page.
    if (response.status !== 304) for (const [name, value] of headers) response.headers.set(name, value);
    response.headers.set("x-request-id", id);
    // What went well stands in the front door's log already; here a line would be the greater part of the work.
    if (response.status >= 400) {
      const ms = Math.round((performance.now() - started) * 10) / 10;
      write({ event: "request", id, method: request.method, route: routeName(path), status: response.status, ms });
    }
    return response;
  });
  return app;
}

async function render(resource: Resource, reading: Parameters<Resource["read"]>[0]): Promise<Rendered | { moved: string } | null> {
  const outcome = await resource.read(reading);
  return outcome !== null && "text" in outcome ? await rendered(resource.type, outcome.text) : outcome;
}

/** A refusal as a page for people, as the contract's error body for programs. */
async function refuse(
  request: Request,
  path: string,
  code: ErrorCode,
  page: ReactElement | null,
  more: Record<string, string> = {},
): Promise<Response> {
  const { status, sentence } = errorCatalogue[code];
  const forPeople = page !== null && !path.endsWith(".json");
  const text = forPeople ? renderPage(page) : JSON.stringify({ error: sentence, code });
  const headers = { "content-type": forPeople ? types.html : types.json, "cache-control": "no-store", vary: "X-Forwarded-Host", ...more };
  return new Response(request.method === "HEAD" ? null : text, { status, headers });
}

const redirect = (to: string): Response =>
  new Response(null, {
    status: 301,
    headers: { location: to, "cache-control": "public, max-age=0, s-maxage=60", vary: "X-Forwarded-Host" },
  });

/** The log names what was asked for, not which post. */
const routeName = (path: string): string =>
  resourceAt(path) === null ? "none" : path.replace(/^(\/releases\/)[^/.]+(?=\.(?:json|md|widget\.json)$|$)/, "$1{slug}");
