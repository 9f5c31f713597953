/** @jsxImportSource preact */
import type { Context } from "hono";
import type { VNode } from "preact";
import { prefers } from "#contract/rules/prefers.ts";
import { InFlight } from "../_shared/in-flight.ts";
import type { Fault, Log } from "../_shared/log.ts";
import { isPrivate } from "#contract/rules/reader-access.ts";
import { AccessPage, type Problem } from "./access/access-page.tsx";
import { keyForToken } from "./access/queries.ts";
import { readerCookie, readerKeyOf } from "./access/reader-key.ts";
import { answer, cacheKeys, crossOriginHeaders, crossOriginVary, varyOf } from "./answer.ts";
import { Contents } from "./contents.ts";
import type { Counts } from "./counting/counts.ts";
import { sealImages } from "./images.ts";
import { LinkPictures } from "./link-pictures.ts";
import { mayEdit } from "./member.ts";
import { OldAddresses } from "./redirects.ts";
import { PageCache, type Rendered, rendered } from "./page-cache.ts";
import { AddressPage, NotFoundPage } from "./pages/note-pages.tsx";
import { renderPage } from "./pages/render.tsx";
import { mayRead } from "./presenters/widget-data.ts";
import { hasPreviewLink } from "./previews/queries.ts";
import type { Sql } from "./queries/database.ts";
import { Hosts } from "./queries/hosts.ts";
import { findWorkspace, locked, movedTo, type PublicWorkspace, suspended } from "./queries/releases.ts";
import { Workspaces } from "./queries/workspaces.ts";
import { enter, redirect, refuse, refuseSuspended, withVia } from "./refuse.tsx";
import { type Resource, types } from "./resource.ts";
import { resources } from "./resources.tsx";
import { asRequested, isReading } from "./routes.ts";
import { pageHeaders } from "./security-headers.ts";
import { type Addresses, isLabel, type Naming, readerName, type Site } from "./site.ts";
import { WidgetSightings } from "./widget-sightings.ts";

export type Variables = { id: string; url: URL; route: string; token?: string };
export type Call = Context<{ Variables: Variables }>;

export interface Visit {
  naming: Naming;
  version?: string | null;
}

interface Options {
  publicUrl: string;
  sql: Sql;
  storageUrl: string;
  mails: boolean;
  now: () => Date;
  write: Log;
  waitUntil: (work: Promise<unknown>) => void;
  addresses: Addresses;
  counts: Counts;
  common: Record<string, string>;
}

interface AccessPageOptions {
  status?: number;
  problem?: Problem;
  /** Where the reader wanted to go, if the form said so. */
  to?: string | null;
}

interface PageRequest {
  call: Call;
  naming: Naming;
  page: Resource;
  resource: Resource;
  isCopy: boolean;
  path: string;
  query: string;
  origin: string | null;
  time: Date;
  today: string;
  isNear: boolean;
  isWriter: boolean;
  cacheKey: string;
}

export class WorkspacePages {
  readonly #options: Options;
  readonly #cache = new PageCache(32_000_000);
  readonly #contents: Contents;
  readonly #pictures: LinkPictures;
  readonly #rendering = new InFlight<Rendered | { moved: string } | null>();
  readonly #hosts: Hosts;
  readonly #oldAddresses: OldAddresses;
  readonly #sightings: WidgetSightings;
  readonly #workspaces: Workspaces;

  constructor(options: Options) {
    const { sql, storageUrl, mails } = options;
    this.#options = options;
    this.#contents = new Contents(sql, 16_000_000);
    this.#pictures = new LinkPictures(storageUrl, 4_000_000);
    this.#workspaces = new Workspaces(sql, mails);
    this.#hosts = new Hosts(sql, this.#workspaces.versionOf);
    this.#oldAddresses = new OldAddresses(sql);
    this.#sightings = new WidgetSightings(sql);
  }

  /** The workspace that the URL names, with the present subdomain in place of a former one. */
  async named(call: Call): Promise<Visit | null> {
    const found = await this.#addressed(call);
    if (found === null) return null;
    const key = await this.#keyOf(call, found.naming.subdomain);
    const token = call.get("token");
    const visit = key === null && token === undefined ? found : { naming: { ...found.naming, key, token: token ?? null } };
    const version = await this.version(visit);
    const subdomain = movedTo(version);
    return subdomain === null ? { ...visit, version } : { naming: { ...visit.naming, subdomain } };
  }

  /** Of a reader who has entered a private changelog, also with a token of the workspace's product. */
  async #keyOf(call: Call, subdomain: string): Promise<string | null> {
    const url = call.get("url");
    const { searchParams, pathname } = url;
    const inQuery = searchParams.get("access_token") ?? (pathname.includes(".") ? searchParams.get("key") : null);
    const token = call.get("token") ?? inQuery;
    const kept = readerKeyOf(call.req.raw.headers, url, subdomain);
    return token === null || kept !== null ? kept : await keyForToken(this.#options.sql, subdomain, token);
  }

  async #addressed(call: Call): Promise<Visit | null> {
    const named = this.#options.addresses.namingOf(call.get("url"), call.req.raw.headers);
    if (named?.by !== "unknown host") return named && { naming: named };
    const owner = await this.#hosts.find(named.host);
    if (owner === null) return named.orQuery && { naming: named.orQuery };
    return { naming: { subdomain: owner.subdomain, by: "domain", host: named.host }, version: owner.version };
  }

  /** True if the URL's host is to have a certificate. */
  async hasHost(call: Call): Promise<boolean> {
    const visit = await this.named(call);
    if (visit === null || visit.naming.by === "query") return false;
    const { subdomain } = visit.naming;
    return (await this.version(visit)) !== null || (isLabel(subdomain) && (await hasPreviewLink(this.#options.sql, subdomain)));
  }

  async version({ naming, version }: Visit): Promise<string | null> {
    if (version !== undefined) return version;
    return isLabel(naming.subdomain) ? await this.#workspaces.versionOf(readerName(naming)) : null;
  }

  async workspace(visit: Visit): Promise<PublicWorkspace | undefined> {
    const version = await this.version(visit);
    return version === null ? undefined : await this.#workspaces.at(readerName(visit.naming), version);
  }

  /** Asks for access, in the workspace's look. */
  async askForAccess(call: Call, { naming }: Visit, { status = 403, problem, ...more }: AccessPageOptions = {}): Promise<Response> {
    const workspace = await findWorkspace(this.#options.sql, naming.subdomain, true);
    if (workspace === undefined) return refuse("", "not_found", <NotFoundPage branded={null} />);
    const site = this.#siteOf(naming, workspace);
    const url = call.get("url");
    const to = url.pathname.startsWith("/releases/access") ? (more.to ?? null) : asRequested(url) + url.search;
    const page = <AccessPage {...{ workspace, site, to, problem }} publicUrl={this.#options.publicUrl} />;
    return new Response(renderPage(page), {
      status,
      headers: { "content-type": types.html, ...pageHeaders(workspace.appearance), ...accessHeaders },
    });
  }

  of(
    handle: (call: Call, visit: Visit) => Response | Promise<Response>,
    route = "none",
    { isCount = false, asksForAccess = false } = {},
  ): (call: Call) => Promise<Response> {
    return async (call) => {
      call.set("route", route);
      const visit = await (isCount ? this.#addressed(call) : this.named(call)); // counts are frequent: their batch finds the workspace
      if (visit !== null && isCount) return await handle(call, visit);
      const resource = resources[route] ?? null;
      const path = prefersCopy(call, resource) ? `${call.req.path}.md` : call.req.path;
      if (visit !== null) {
        const version = await this.version(visit);
        if (version === suspended) return refuseSuspended(path, varyOf(resource));
        const isPage = resource === null ? !path.includes(".") : resource.type === types.html && path === call.req.path;
        if (version === locked && !asksForAccess)
          return isPage ? await this.askForAccess(call, visit) : refuse(path, "reader_access_required", null, accessHeaders);
        if (visit.naming.key && isPage && call.get("url").searchParams.has("access_token")) return this.#enterByToken(call, visit.naming);
        return await handle(call, { ...visit, version });
      }
      const page = resource?.type === types.html ? <AddressPage host={this.#options.addresses.host} /> : <NotFoundPage branded={null} />;
      return refuse(path, "not_found", page, varyOf(resource));
    };
  }

  read(route: string, page: Resource): (call: Call) => Promise<Response> {
    return this.of(async (call, visit) => {
      const version = await this.version(visit);
      const request = this.#requestOf(call, visit.naming, route, page);
      const unknown = () => refuse(request.path, "not_found", <NotFoundPage branded={null} />, varyOf(page));
      if (version === null) return unknown();
      const cached = this.#cache.get(request.cacheKey, `${version} ${request.today}`);
      if (cached !== undefined && request.origin === null) return this.#send(request, cached);
      const workspace = await this.#workspaces.at(readerName(visit.naming), version);
      if (workspace === undefined) return unknown();
      const site = this.#siteOf(visit.naming, workspace);
      const { origin, naming } = request;
      if (origin === null && leadsOn(naming, site, workspace, page))
        return redirect(site.origin + asRequested(call.get("url")) + call.get("url").search, keptBy(workspace));
      if (origin !== null && !mayRead(origin, workspace, site)) return refuse(request.path, "cross_origin", null, crossOriginVary);
      if (origin !== null && request.resource.showsWidget) this.#noteWidget(call, site, origin);
      if (cached !== undefined) return this.#send(request, cached);
      return await this.#render(request, workspace, site);
    }, route);
  }

  readonly unknownPath = this.of(async (call, visit) => {
    const workspace = await this.workspace(visit);
    if (workspace !== undefined) return await this.#nothing(call, visit.naming, workspace, null, call.req.path);
    return refuse(call.req.path, "not_found", <NotFoundPage branded={null} />);
  });

  async elsewhere(call: Call): Promise<Response> {
    const { path } = call.req;
    const visit = isReading(call.req.raw) ? await this.named(call) : null;
    const isFollowed = call.req.header("accept")?.includes("text/html") ?? false;
    const unknown = () => refuse(path, "not_found", isFollowed ? <NotFoundPage branded={null} /> : null);
    if (visit === null || visit.naming.by === "query") return unknown();
    const version = await this.version(visit);
    if (version === null) return unknown();
    if (version === suspended) return isFollowed ? refuseSuspended(path) : refuse(path, "changelog_unavailable", null);
    if (version === locked)
      return isFollowed ? await this.askForAccess(call, visit) : refuse(path, "reader_access_required", null, accessHeaders);
    const redirected = await this.#redirectOld(call, visit.naming);
    if (redirected !== null) return redirected;
    const workspace = isFollowed ? await this.#workspaces.at(readerName(visit.naming), version) : undefined;
    if (workspace === undefined) return unknown();
    return refuse(path, "not_found", this.#notFound(visit.naming, workspace), {}, workspace.appearance);
  }

  #requestOf(call: Call, naming: Naming, route: string, page: Resource): PageRequest {
    const { headers } = call.req.raw;
    const isCopy = prefersCopy(call, page);
    const resource = (isCopy ? resources[`${route}.md`] : page) ?? page;
    const path = isCopy ? `${call.req.path}.md` : call.req.path;
    const query = relevant(call.get("url"), resource);
    const isPage = resource.type === types.html;
    const isNear = isPage && headers.get("sec-fetch-site") === "same-origin";
    const isWriter = isPage && mayEdit(headers, naming.subdomain);
    const host = `${naming.by === "query" ? naming.subdomain : naming.host} ${naming.key ?? ""} ${naming.token ?? ""}`;
    const time = this.#options.now();
    return {
      ...{ call, naming, page, resource, isCopy, path, query, time, isNear, isWriter },
      origin: resource.crossOrigin ? headers.get("origin") : null,
      today: time.toISOString().slice(0, 10), // dates are relative to it
      cacheKey: `${path}?${query}\n${naming.by}${isNear ? " near" : ""}${isWriter ? " writer" : ""}\n${host}`,
    };
  }

  #send({ call, naming, resource, isCopy, origin, today }: PageRequest, page: Rendered): Response {
    const { counts, common } = this.#options;
    const url = call.get("url");
    if (resource.type === types.html) counts.page(call.req.raw, naming, page.missed, today);
    const copyAt = isCopy ? `${asRequested(url)}.md${url.search}` : null;
    return answer(call.req.raw, page, { id: call.get("id"), common, resource, copyAt, origin });
  }

  async #render(request: PageRequest, workspace: PublicWorkspace, site: Site): Promise<Response> {
    const { call, naming, page, resource, isCopy, path, query, origin, time, today, isNear, isWriter, cacheKey } = request;
    const { sql, publicUrl } = this.#options;
    const version = `${workspace.version_tag} ${today}`;
    const editor = isWriter ? `${new URL(publicUrl).origin}/workspace/${workspace.id}/changelog/edit` : null;
    const result = await this.#rendering.share(`${cacheKey} ${version}`, async () => {
      const outcome = await resource.read({
        ...{ sql, contents: this.#contents, pictures: this.#pictures, workspace, site, path },
        ...{ query: new URLSearchParams(query), now: time, isNear, editor, token: naming.token ?? null },
      });
      if (outcome === null || "moved" in outcome) return outcome;
      const ofPage = resource.type === types.html ? pageHeaders(workspace.appearance) : {};
      const keys = isWriter ? unshared : keptBy(workspace, outcome.post);
      const headers = { ...keys, ...ofPage, ...outcome.headers, ...(workspace.access !== "public" && { "x-robots-tag": "noindex" }) };
      const { text } = outcome;
      const sealed =
        isPrivate(workspace.access) && typeof text === "string" ? await sealImages(sql, workspace.id, text, resource.imageDays ?? 1) : text;
      const entry = { ...(await rendered(resource.type, sealed, headers)), missed: outcome.missed };
      if (!resource.unkept) this.#cache.set(cacheKey, version, entry);
      return entry;
    });
    if (result === null) return await this.#nothing(call, naming, workspace, page, path);
    if (!("moved" in result)) return this.#send(request, result);
    const to = isCopy ? result.moved.replace(/\.md(?=$|\?)/, "") : result.moved; // same as the page's, so caches can store it
    return redirect(withVia(to, call.get("url")), { ...keptBy(workspace), ...crossOriginHeaders(resource, origin) });
  }

  async #nothing(call: Call, naming: Naming, workspace: PublicWorkspace, resource: Resource | null, path: string): Promise<Response> {
    const isForPeople = resource === null || resource.type === types.html;
    const redirected = isForPeople ? await this.#redirectOld(call, naming) : null;
    return redirected ?? refuse(path, "not_found", this.#notFound(naming, workspace), varyOf(resource), workspace.appearance);
  }

  async #redirectOld(call: Call, naming: Naming): Promise<Response | null> {
    const { addresses, now } = this.#options;
    const url = call.get("url");
    const path = asRequested(url);
    const host = naming.by === "query" ? `${naming.subdomain}.${addresses.host}` : naming.host;
    const slug = await this.#oldAddresses.find(readerName(naming), host, path, now().getTime());
    if (slug === null || path === `/releases/${slug}`) return null;
    return redirect(withVia(addresses.siteOf(naming, null).path(`/releases/${slug}`), url));
  }

  /** The token is used once, and its cookie from then on. */
  #enterByToken(call: Call, naming: Naming): Response {
    const url = new URL(call.get("url"));
    url.searchParams.delete("access_token");
    return enter(asRequested(url) + url.search, readerCookie(this.#options.addresses.siteOf(naming, null), naming.key ?? ""));
  }

  #noteWidget(call: Call, site: Site, origin: string): void {
    const { write, waitUntil } = this.#options;
    if (origin === site.origin || origin === site.belowOrigin) return;
    const onFault = (fault: Fault): void => write({ event: "fault", id: call.get("id"), fault });
    waitUntil(this.#sightings.note(site.subdomain, origin, onFault));
  }

  #siteOf(naming: Naming, { domain }: PublicWorkspace): Site {
    return this.#options.addresses.siteOf(naming, domain);
  }

  #notFound(naming: Naming, workspace: PublicWorkspace): VNode {
    return <NotFoundPage branded={{ workspace, site: this.#siteOf(naming, workspace) }} />;
  }
}

const unshared = { "cache-control": "private, no-store" };
const accessHeaders = { ...unshared, "referrer-policy": "no-referrer", "x-robots-tag": "noindex" };

/** Purge keys, or for private changelogs no shared cache at all. */
const keptBy = ({ id, access }: PublicWorkspace, post?: string): Record<string, string> =>
  isPrivate(access) ? unshared : cacheKeys(id, post);

const prefersCopy = (call: Call, resource: Resource | null): boolean =>
  resource?.hasMarkdown === true && prefers(call.req.raw.headers.get("accept"), "text/markdown", "text/html");

const leadsOn = ({ by, host }: Naming, { belowOrigin }: Site, { domain }: PublicWorkspace, { type, forHosts }: Resource): boolean =>
  (type === types.html || forHosts === true) &&
  (domain === null ? by === "host" && host !== new URL(belowOrigin).hostname : by !== "query" && host !== domain);

function relevant({ search, searchParams }: URL, { parameters }: Resource): string {
  if (search === "" || parameters === undefined) return "";
  return new URLSearchParams(
    parameters.flatMap((name) => (searchParams.has(name) ? [[name, searchParams.get(name) ?? ""]] : [])),
  ).toString();
}
