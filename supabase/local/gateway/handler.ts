import path from "node:path";
import { presenceMessageMaxLength } from "#contract/presence.ts";
import { QueueFull } from "#contract/rules/concurrency-limit.ts";
import { hasTooManyValues } from "#contract/rules/json-values.ts";
import { type Host, hostOf, type Route, routeOf } from "./routes.ts";
import { projectRoot } from "../settings.ts";
import { limitBody, type LimitedBody, wholeOf } from "./body-limit.ts";
import type { Concurrency } from "./concurrency.ts";
import { mailPage, widgetHostPage } from "./dev-pages.ts";
import { type Forwarded, forwardedHeaders, readForwarded } from "./forwarded.ts";
import { forward } from "./proxy.ts";
import { isOwnName } from "./custom-domains.ts";
import { applyRange } from "./range.ts";
import { refuse, storageFull, unavailable } from "./refuse.ts";
import type { RequestLine } from "./request-log.ts";
import { SharedCache } from "./shared-cache.ts";
import { serveStatic } from "./static.ts";
import { forwardWebSocket } from "./websocket.ts";
import type { Mail } from "../engine/mail.ts";
import type { IsFrontDoor } from "../service/front-door.ts";

/** The parts behind the gateway; null if down. */
export interface Parts {
  functionPort(name: string): number | null | undefined;
  pages: SharedCache;
  service(request: Request, clientAddress: string): Promise<Response | null>;
  isDiskFull(): Promise<boolean>;
  concurrency: { functions: Concurrency; services: Concurrency };
  realtime(request: Request, clientAddress: string, body: Uint8Array | null): Promise<Response | null>;
  health(): Promise<{ ok: boolean; version: string; parts: Record<string, string> }>;
  mails(): Mail[];
  takeMail(request: Request, body: LimitedBody): Promise<Response>;
  newestPublicWorkspace(): Promise<string | null>;
  vitePort: number | null;
  publicUrl: string;
  listensOn: string;
  isFrontDoor: IsFrontDoor;
  trustedProxies: number;
  devPages: boolean;
  pageHeaders: Record<string, string>;
}

/** Entry point: routes, limits the body, assigns a request id, logs one line. */
export function createHandler(parts: Parts, log: (line: RequestLine) => void) {
  return async (request: Request, info: Deno.ServeHandlerInfo<Deno.NetAddr>): Promise<Response> => {
    const began = performance.now();
    const forwarded = readForwarded(request.headers, info.remoteAddr.hostname, parts.isFrontDoor, parts.trustedProxies);
    const { route, answer } = await answerTo(request, parts, forwarded);
    log({
      id: forwarded.requestId,
      method: request.method,
      route,
      status: answer.status,
      ms: Math.round((performance.now() - began) * 10) / 10,
    });
    if (answer.status === 101) return answer; // a 101 response is immutable
    return withHeaders(answer, { "x-request-id": forwarded.requestId, "x-content-type-options": "nosniff" });
  };
}

const unheardOf = new Set(["TRACE", "TRACK", "CONNECT"]);
const handedOn = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

async function answerTo(request: Request, parts: Parts, forwarded: Forwarded): Promise<{ route: string; answer: Response }> {
  if (unheardOf.has(request.method)) return { route: "unknown method", answer: refuse("method_not_allowed", { allow: handedOn }) };
  let host: Host | null;
  try {
    host = await admittedHost(request, parts, forwarded);
  } catch (error) {
    return { route: "unknown host", answer: answerToFault(error, request, forwarded) };
  }
  if (host === null) return { route: "unknown host", answer: refuse("not_found") };
  if (!URL.canParse(request.url)) return { route: "unreadable address", answer: refuse("invalid_address") };
  const url = new URL(request.url);
  const route = routeOf(host, url.pathname);
  const body = limitBody(request);
  if (!body) return { route: route.path, answer: refuse("body_too_large") };
  try {
    const answer = await follow(route, host, request, url, body, parts, forwarded);
    return { route: route.path, answer: faultOf(body) ?? answer };
  } catch (error) {
    return { route: route.path, answer: faultOf(body) ?? answerToFault(error, request, forwarded) };
  }
}

const clientClosed = () => new Response(null, { status: 499 });

/** Full queues and closed connections aren't logged as errors. */
function answerToFault(error: unknown, { signal }: Request, forwarded: Forwarded): Response {
  if (signal.aborted && error === signal.reason) return clientClosed();
  if (error instanceof QueueFull) return refuse("rate_limited", { "retry-after": "1" });
  console.error(`gateway, request ${forwarded.requestId}:`, error);
  return unavailable();
}

/** Null for foreign host names, which prevents DNS rebinding. */
async function admittedHost(request: Request, parts: Parts, { clientAddress }: Forwarded): Promise<Host | null> {
  const named = hostOf(request.headers.get("host"), new URL(parts.publicUrl).hostname, parts.listensOn);
  if (named?.host !== "unknown") return named?.host ?? null;
  const look = () => isOwnName(named.name, parts.functionPort("releases"));
  return (await parts.concurrency.functions.run(request, clientAddress, look)) ? "workspace" : null;
}

function faultOf(body: LimitedBody): Response | null {
  if (body.exceeded()) return refuse("body_too_large");
  return body.stalled() ? refuse("request_timeout") : null;
}

async function follow(
  { target }: Route,
  host: Host,
  request: Request,
  url: URL,
  body: LimitedBody,
  parts: Parts,
  forwarded: Forwarded,
): Promise<Response> {
  const toFunction = async (name: string, pathAndQuery: string): Promise<Response> => {
    const port = parts.functionPort(name);
    if (port === undefined) return refuse("not_found");
    if (port === null) return unavailable();
    const isWebSocket = name === "presence" && isUpgrade(request);
    const send = (etag?: string) => forward(request, port, pathAndQuery, body, forwarded, etag);
    const ask = async () => {
      if (isWebSocket) return forwardWebSocket(request, port, pathAndQuery, forwarded, { longestMessage: presenceMessageMaxLength });
      return name === "releases" ? await parts.pages.answer(request, `${port} ${forwarded.host}${pathAndQuery}`, send) : await send();
    };
    return await parts.concurrency.functions.run(request, forwarded.clientAddress, ask);
  };
  switch (target.kind) {
    case "function":
      return await toFunction(target.name, (target.below ?? "") + url.pathname + url.search);
    case "function-by-name": {
      const rest = url.pathname.slice("/functions/v1".length);
      return await toFunction(rest.split("/")[1] ?? "", rest + url.search);
    }
    case "service":
      if (target.name === "realtime") return await toRealtime(request, body, parts, forwarded);
      return await toService(request, target, body, parts, forwarded);
    case "static":
      return await toStatic(request, url, target, body, parts, forwarded);
    case "health": {
      const health = await parts.health();
      return Response.json(
        { status: health.ok ? "ok" : "unavailable", version: health.version, parts: health.parts },
        { status: health.ok ? 200 : 503, headers: { "cache-control": "no-store" } },
      );
    }
    case "nothing":
      return refuse("not_found");
    case "dev":
      if (target.page === "mail" && request.method === "POST") return await parts.takeMail(request, body);
      if (!parts.devPages) return refuse("not_found");
      if (target.page === "mail") return mailPage(parts.mails());
      if (target.page === "mail.json") return Response.json(parts.mails(), { headers: { "cache-control": "no-store" } });
      return widgetHostPage(parts.publicUrl, url.searchParams.get("workspace") ?? (await parts.newestPublicWorkspace()));
    case "redirect":
      return new Response(null, { status: 302, headers: { location: target.to + url.search } });
  }
}

/** WebSockets have their own limits; only HTTP broadcasts count here. */
async function toRealtime(request: Request, body: LimitedBody, parts: Parts, { clientAddress }: Forwarded): Promise<Response> {
  const ask = async (content: Uint8Array | null) => (await parts.realtime(request, clientAddress, content)) ?? unavailable("realtime");
  if (request.method !== "POST") return await ask(null);
  return await parts.concurrency.services.run(request, clientAddress, async () => await ask(await wholeOf(request, body)));
}

async function toService(
  request: Request,
  { name, forOtherSites }: Extract<Route["target"], { kind: "service" }>,
  body: LimitedBody,
  parts: Parts,
  forwarded: Forwarded,
): Promise<Response> {
  const headers = forwardedHeaders(request.headers, forwarded);
  if (name === "storage" && isUpload(request) && (await parts.isDiskFull())) return storageFull();
  const answer = await parts.concurrency.services.run(request, forwarded.clientAddress, async () => {
    const content = await wholeOf(request, body);
    if (content !== null && headers.get("content-type")?.includes("json") && hasTooManyValues(content)) return refuse("body_too_large");
    const forwardedRequest = new Request(request.url, { method: request.method, headers, body: content });
    return (await parts.service(forwardedRequest, forwarded.clientAddress)) ?? unavailable(name);
  });
  const part = name === "storage" ? await applyRange(request, answer) : answer;
  return forOtherSites ? withHeaders(part, { "cross-origin-resource-policy": "cross-origin" }) : part;
}

/** Storage's other calls (list, sign, move, copy) have JSON bodies. */
const isUpload = ({ method, headers }: Request): boolean =>
  (method === "POST" || method === "PUT") && !headers.get("content-type")?.startsWith("application/json");

async function toStatic(
  request: Request,
  url: URL,
  target: Extract<Route["target"], { kind: "static" }>,
  body: LimitedBody,
  parts: Parts,
  forwarded: Forwarded,
): Promise<Response> {
  if (target.folder === "web" && parts.vitePort) {
    const pathAndQuery = url.pathname + url.search;
    return isUpgrade(request)
      ? forwardWebSocket(request, parts.vitePort, pathAndQuery, forwarded)
      : await forward(request, parts.vitePort, pathAndQuery, body, forwarded);
  }
  const pathname = url.pathname === "/" ? "/index.html" : url.pathname;
  return serveStatic(request, path.join(projectRoot, "dist", target.folder), pathname, {
    fallback: target.fallback,
    pageHeaders: parts.pageHeaders,
    forOtherSites: target.folder === "widget",
  });
}

const isUpgrade = (request: Request): boolean => request.headers.get("upgrade")?.toLowerCase() === "websocket";

function withHeaders(answer: Response, more: Record<string, string>): Response {
  try {
    for (const [name, value] of Object.entries(more)) answer.headers.set(name, value);
    return answer;
  } catch {
    const headers = new Headers(answer.headers); // some responses have immutable headers
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    return new Response(answer.body, { status: answer.status, headers });
  }
}
