/** @jsxImportSource preact */
import type { VNode } from "preact";
import { errorCatalogue, type ErrorCode } from "#contract/errors.ts";
import { hostQuestion } from "#contract/rules/host-question.ts";
import { prefers } from "#contract/rules/prefers.ts";
import { describeFault, type Fault, log, type Log } from "../_shared/log.ts";
import { requestId } from "../_shared/request-id.ts";
import { answer, crossOriginHeaders, crossOriginVary, hostVary, cacheKeys, varyOf } from "./answer.ts";
import { Contents } from "./contents.ts";
import { Counts } from "./counting/counts.ts";
import { answerPicture, reportAt } from "./counting/pictures.ts";
import { answerHost } from "./host-question.ts";
import { InFlight } from "../_shared/in-flight.ts";
import { LinkPictures } from "./link-pictures.ts";
import { PageCache, type Rendered, rendered } from "./page-cache.ts";
import { AddressPage, FaultPage, NotFoundPage } from "./pages/note-pages.tsx";
import type { Styled } from "./pages/style.ts";
import { renderPage } from "./pages/render.tsx";
import { type PreviewPlace, previewPlace, previewRoute } from "./previews/places.ts";
import { Previews } from "./previews/previews.tsx";
import { mayEdit } from "./member.ts";
import { mayRead } from "./presenters/widget-data.ts";
import { isUnavailable, type Sql } from "./queries/database.ts";
import { Hosts } from "./queries/hosts.ts";
import type { PublicWorkspace } from "./queries/releases.ts";
import { Workspaces } from "./queries/workspaces.ts";
import { OldAddresses } from "./old-addresses.ts";
import { type Resource, types } from "./resource.ts";
import { isOurPath, resourceAt } from "./resources.tsx";
import { pageHeaders, securityHeaders } from "./security-headers.ts";
import { addressesBelow, isLabel, type Naming } from "./site.ts";
import { answerSubscription, subscriptionPlace, subscriptionRoute } from "./subscriptions/subscriptions.tsx";
import { WidgetSightings } from "./widget-sightings.ts";

export interface Options {
  /** Origin of the product. */
  publicUrl: string;
  sql: Sql;
  /** Origin of Storage. */
  storageUrl?: string;
  /** How many proxies in front each add an entry to X-Forwarded-For. */
  proxies?: number;
  /** Whether mails can be sent at all. */
  mails?: boolean;
  rateLimitScale?: number;
  now?: () => Date;
  write?: Log;
  /** Whether CF-IPCountry, where it is there, tells of the reader. */
  countries?: boolean;
  /** Told of work that goes on when a request is answered. */
  goOn?: (work: Promise<unknown>) => void;
}

export interface App {
  fetch(request: Request): Promise<Response>;
}

/** The public pages, feeds and widget data: read as anybody from the one visibility view. Subscribing by mail is all that anybody can write. */
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
  goOn = () => {},
}: Options): App {
  const cache = new PageCache(32_000_000);
  const contents = new Contents(sql, 16_000_000);
  const pictures = new LinkPictures(storageUrl, 4_000_000);
  const rendering = new InFlight<Rendered | { moved: string } | null>();
  const workspaces = new Workspaces(sql, mails);
  const hosts = new Hosts(sql, workspaces.versionOf);
  const oldAddresses = new OldAddresses(sql);
  const previews = new Previews({ sql, proxies, rateLimitScale });
  const sightings = new WidgetSightings(sql);
  const addresses = addressesBelow(publicUrl);
  const counts = new Counts({ sql, proxies, countries, write, goOn, isOurs: addresses.isOurs });
  const common = securityHeaders(publicUrl);

  /** Which workspace is meant: null where the address names none. What a host tells comes with the workspace's public version. */
  async function meant(url: URL, headers: Headers): Promise<{ naming: Naming; version?: string } | null> {
    const named = addresses.namingOf(url, headers);
    if (named?.by !== "unknown host") return named && { naming: named };
    const found = await hosts.find(named.host);
    if (found === null) return named.orQuery && { naming: named.orQuery };
    return { naming: { subdomain: found.subdomain, by: "domain", host: named.host }, version: found.version };
  }
  /** Null: there is no such workspace, or its changelog is closed. */
  const versionFor = async ({ naming, version }: { naming: Naming; version?: string }): Promise<string | null> =>
    version ?? (isLabel(naming.subdomain) ? await workspaces.versionOf(naming.subdomain) : null);
  const siteOf = (naming: Naming, { domain }: Pick<PublicWorkspace, "domain">) => addresses.siteOf(naming, domain);

  /** Where the post is that stood at this address before it came here; null: there is none. */
  async function moved(naming: Naming, url: URL): Promise<Response | null> {
    const path = pathOf(url);
    const slug = await oldAddresses.find(
      naming.subdomain,
      naming.by === "query" ? `${naming.subdomain}.${addresses.host}` : naming.host,
      path,
      now().getTime(),
    );
    if (slug === null || path === `/releases/${slug}`) return null;
    return redirect(withVia(addresses.siteOf(naming, null).path(`/releases/${slug}`), url));
  }

  /** What a path of a workspace's host gets that is none of ours: another product may have had it. */
  async function respondElsewhere(request: Request, url: URL, path: string): Promise<Response> {
    const isReading = request.method === "GET" || request.method === "HEAD";
    const asked = isReading ? await meant(url, request.headers) : null;
    const isFollowed = request.headers.get("accept")?.includes("text/html") ?? false;
    const nothing = (page: VNode, look: Styled | null = null): Response =>
      refuse(request, path, "not_found", isFollowed ? page : null, {}, look);
    const nobody = <NotFoundPage branded={null} />;
    if (asked === null || asked.naming.by === "query") return nothing(nobody);
    const { naming } = asked;
    const version = await versionFor(asked);
    if (version === null) return nothing(nobody);
    const known = await moved(naming, url);
    if (known !== null) return known;
    // Somebody follows an old link: the way to all that is here is better than nothing.
    const workspace = isFollowed ? await workspaces.at(naming.subdomain, version) : undefined;
    if (workspace === undefined) return nothing(nobody);
    return nothing(<NotFoundPage branded={{ workspace, site: siteOf(naming, workspace) }} />, workspace.appearance);
  }

  /** A post that is not public, by a link: its workspace need not be open. */
  async function respondPreview(request: Request, url: URL, place: PreviewPlace): Promise<Response> {
    const asked = await meant(url, request.headers);
    if (asked === null || !isLabel(asked.naming.subdomain)) return await previews.answer(request, url, place, null);
    return await previews.answer(request, url, place, { siteFor: (domain) => addresses.siteOf(asked.naming, domain), now: now() });
  }

  /** What a request gets. */
  async function respond(request: Request, url: URL, path: string, id: string): Promise<Response> {
    if (!isOurPath(path)) return await respondElsewhere(request, url, path);
    const preview = previewPlace(path);
    if (preview !== null) return await respondPreview(request, url, preview);
    const place = subscriptionPlace(path, request.method);
    if (place === null && request.method !== "GET" && request.method !== "HEAD") {
      return new Response(null, { status: 405, headers: { allow: "GET, HEAD", "cache-control": "no-store" } });
    }
    if (path.length > 1 && path.endsWith("/")) return redirect(path.replace(/\/+$/, "") + url.search);
    const stands = resourceAt(path);
    // Asked for as Markdown a page is its copy, in its own place: where pages lead on, that does too.
    const isCopy = stands?.hasMarkdown === true && prefers(request.headers.get("accept"), "text/markdown", "text/html");
    const at = isCopy ? `${path}.md` : path;
    const resource = isCopy ? resourceAt(at) : stands;

    const asked = await meant(url, request.headers);
    if (path === hostQuestion) return answerHost(asked !== null && asked.naming.by !== "query" && (await versionFor(asked)) !== null);
    if (asked === null) {
      const page = stands?.type === types.html ? <AddressPage host={addresses.host} /> : <NotFoundPage branded={null} />;
      return refuse(request, at, "not_found", page, varyOf(stands));
    }
    const { naming } = asked;
    const { subdomain } = naming;
    const time = now();
    const today = time.toISOString().slice(0, 10); // counted by it, and dates are written as seen from it
    const report = reportAt(path);
    if (report !== undefined) {
      if (isLabel(subdomain)) counts.picture(request, url.searchParams, naming, report, today);
      return answerPicture(request.method, time);
    }
    // All that follows depends on this one answer: a page that was rendered for it is as fresh as a new one.
    const version = await versionFor(asked);
    const nobody = (): Response => refuse(request, at, "not_found", <NotFoundPage branded={null} />, varyOf(stands));
    if (place !== null) {
      const workspace = version === null ? undefined : await workspaces.at(subdomain, version);
      const site = addresses.siteOf(naming, workspace?.domain ?? null);
      return await answerSubscription(request, url, place, { sql, site, workspace, proxies, rateLimitScale });
    }
    if (version === null) return nobody();

    const query = relevant(url, resource);
    const isPage = resource?.type === types.html;
    const isNear = isPage && request.headers.get("sec-fetch-site") === "same-origin";
    const isWriter = isPage && mayEdit(request.headers, subdomain);
    const asNamed = naming.by === "query" ? subdomain : naming.host;
    const address = `${at}?${query}\n${naming.by}${isNear ? " near" : ""}${isWriter ? " writer" : ""}\n${asNamed}`;
    const known = cache.get(address, `${version} ${today}`);
    const origin = resource?.crossOrigin ? request.headers.get("origin") : null;
    const send = (page: Rendered): Response => {
      if (resource?.type === types.html) counts.page(request, naming, page.missed, today);
      return answer(request, page, { id, common, resource, copyAt: isCopy ? `${pathOf(url)}.md${url.search}` : null, origin });
    };
    if (known !== undefined && origin === null) return send(known);

    const workspace = await workspaces.at(subdomain, version);
    if (workspace === undefined) return nobody();
    const site = siteOf(naming, workspace);
    const nothing = async (): Promise<Response> => {
      const isForPeople = origin === null && (stands === null || stands.type === types.html);
      const known = isForPeople ? await moved(naming, url) : null;
      return (
        known ?? refuse(request, at, "not_found", <NotFoundPage branded={{ workspace, site }} />, varyOf(stands), workspace.appearance)
      );
    };
    if (stands === null || resource === null) return await nothing();
    if (origin === null && leadsOn(naming, workspace, stands))
      return redirect(site.origin + pathOf(url) + url.search, cacheKeys(workspace.id));
    if (origin !== null && !mayRead(origin, workspace, site)) return refuse(request, path, "cross_origin", null, crossOriginVary);
    const onFault = (fault: Fault): void => write({ event: "fault", id, fault });
    if (origin !== null && origin !== site.origin && origin !== site.belowOrigin && resource.showsWidget)
      goOn(sightings.note(subdomain, origin, onFault));
    if (known !== undefined) return send(known);

    const shown = `${workspace.version_tag} ${today}`;
    const editor = isWriter ? `${new URL(publicUrl).origin}/workspace/${workspace.id}/changelog/edit` : null;
    const made = await rendering.share(`${address} ${shown}`, async () => {
      const outcome = await resource.read({
        sql,
        contents,
        pictures,
        workspace,
        site,
        query: new URLSearchParams(query),
        now: time,
        isNear,
        editor,
      });
      if (outcome === null || "moved" in outcome) return outcome;
      const ofPage = resource.type === types.html ? pageHeaders(workspace.appearance) : {};
      const keys = isWriter ? { "cache-control": "private, no-store" } : cacheKeys(workspace.id, outcome.post);
      const headers = { ...keys, ...ofPage, ...outcome.headers };
      const page = { ...(await rendered(resource.type, outcome.text, headers)), missed: outcome.missed };
      if (!resource.unkept) cache.set(address, shown, page);
      return page;
    });
    if (made === null) return await nothing();
    if ("moved" in made) {
      // Without the ending it leads everybody on alike, so that it may be kept.
      const to = isCopy ? made.moved.replace(/\.md(?=$|\?)/, "") : made.moved;
      return redirect(withVia(to, url), { ...cacheKeys(workspace.id), ...crossOriginHeaders(resource, origin) });
    }
    return send(made);
  }

  async function fetch(request: Request): Promise<Response> {
    const started = performance.now();
    const id = requestId(request.headers);
    const url = new URL(request.url);
    const path = decodeUnreserved(pathOf(url));
    const response = await respond(request, url, path, id).catch((thrown: unknown) => {
      const soon = isUnavailable(thrown);
      write({ event: "fault", id, fault: describeFault(thrown) });
      return refuse(request, path, soon ? "unavailable" : "internal", <FaultPage soon={soon} />, soon ? { "retry-after": "1" } : {});
    });
    // What `answer` made is complete.
    if (response.status === 304 || response.headers.has("etag")) return response;
    for (const [name, value] of Object.entries({ ...common, "x-request-id": id })) {
      if (!response.headers.has(name)) response.headers.set(name, value); // the address of a secret page is told to nobody
    }
    // What went well stands in the front door's log already; here a line would be the greater part of the work.
    if (response.status >= 400) {
      const ms = Math.round((performance.now() - started) * 10) / 10;
      write({ event: "request", id, method: request.method, route: routeName(path), status: response.status, ms });
    }
    return response;
  }

  return { fetch };
}

/**
 * Whether readers are led to the workspace's own name. What programs read (feeds, JSON, the widget's data, images) goes on answering where they
 * have always asked: who has taken such an answer for good would be lost with the name.
 */
const leadsOn = ({ by, host }: Naming, { domain }: PublicWorkspace, { type, forHosts }: Resource): boolean =>
  by !== "query" && domain !== null && host !== domain && (type === types.html || forHosts === true);

/**
 * As it was asked for: hosted, the front door hands every path P of this function on as /releases/_P. No path of ours begins with two slashes;
 * as a Location such a one would name another host.
 */
const pathOf = ({ pathname }: URL): string => pathname.replace(/^\/releases\/_(?=\/)/, "").replace(/^\/{2,}/, "/");

/** An address in which letters, digits and their like are escaped is the same address. */
const decodeUnreserved = (path: string): string => path.replace(/%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi, decodeURIComponent);

/** What of the query decides what is answered, in one order; everything else makes no second copy of a page. */
function relevant({ search, searchParams }: URL, resource: Resource | null): string {
  const parameters = resource?.parameters;
  if (search === "" || parameters === undefined) return "";
  return new URLSearchParams(
    parameters.flatMap((name) => (searchParams.has(name) ? [[name, searchParams.get(name) ?? ""]] : [])),
  ).toString();
}

/** Where somebody came from is told to the present address, too. */
function withVia(address: string, { searchParams }: URL): string {
  const via = searchParams.get("via");
  return via === null ? address : `${address}${address.includes("?") ? "&" : "?"}${new URLSearchParams({ via })}`;
}

/** A refusal as a page for people, as the contract's error body for programs: what they ask for has a dot in its name. */
function refuse(
  request: Request,
  path: string,
  code: ErrorCode,
  page: VNode | null,
  more: Record<string, string> = {},
  look: Styled | null = null,
): Response {
  const { status, sentence } = errorCatalogue[code];
  const forPeople = page !== null && !path.includes(".");
  const text = forPeople ? renderPage(page) : JSON.stringify({ error: sentence, code });
  const type = forPeople ? { "content-type": types.html, ...pageHeaders(look) } : { "content-type": types.json };
  const headers = { ...type, "cache-control": "no-store", ...hostVary, ...more };
  return new Response(request.method === "HEAD" ? null : text, { status, headers });
}

const redirect = (to: string, more: Record<string, string> = {}): Response =>
  new Response(null, {
    status: 301,
    headers: { location: to, "cache-control": "public, max-age=0, s-maxage=60", ...hostVary, ...more },
  });

/** The log names what was asked for, not which post. */
const routeName = (path: string): string =>
  subscriptionRoute(path) ??
  previewRoute(path) ??
  (resourceAt(path) === null ? "none" : path.replace(/^(\/releases\/)[^/.]+(?=\.(?:json|md|png|widget\.json)$|$)/, "$1{slug}"));
