import type { Context, Hono } from "hono";
import type { StatusCode } from "hono/utils/http-status";
import type { z } from "zod";
import { type DownloadType, type Endpoint, isForKeys, type KeyAccess } from "#contract/endpoint.ts";
import { isErrorCode } from "#contract/errors.ts";
import { resourceMetadataPaths } from "#contract/mcp/endpoint.ts";
import { assistantScopes } from "#contract/oauth.ts";
import { apiKeyRate, scaledSize } from "#contract/rate-limits.ts";
import { apiKeyPrefix, isApiKey } from "#contract/rules/api-key.ts";
import { auditNetwork } from "#contract/rules/audit-network.ts";
import type { Bytes } from "./base64.ts";
import { bearerToken } from "./bearer-token.ts";
import { readFile, readJson, receive, requireMediaType } from "./body.ts";
import { clientAddress, forwardedAddress } from "./client-address.ts";
import { Database } from "./clients.ts";
import { SessionCookies } from "./cookies.ts";
import type { Env } from "./env.ts";
import { deprecationHeaders } from "./deprecation.ts";
import { AppError } from "./errors.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";
import { type AdmittedKey, createKeyCalls, type KeyCalls } from "./key-calls.ts";
import { sealNetwork } from "./network-seal.ts";
import { accountSubjects, createRateLimiter, type RateSubjects } from "./rate-limits.ts";
import { OverrideResponse, type Reply, RawResponse } from "./reply.ts";
import { requireSameOrigin } from "./same-origin.ts";
import { createSessionReader, type ReadSession } from "./session.ts";
import { createTokenVerifier, type Identity } from "./tokens.ts";

export interface Call<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  file: Uint8Array | undefined;
  raw: Bytes;
  idempotencyKey: string | null;
  /** A silent rate limit was hit: respond normally, do nothing. */
  silentlyLimited: boolean;
  headers: Headers;
  cookies: SessionCookies;
  env: Env;
  requestId: string;
  reply: Reply;
}

export interface ApiVariables {
  Variables: { requestId: string; route: string; tool?: string };
}
export type ApiApp = Hono<ApiVariables>;

type Schema = z.ZodType;
type Register<Extra, Also = never> = <P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
  endpoint: Endpoint<P, Q, B, R>,
  handler: (call: Call<z.output<P>, z.output<Q>, z.output<B>> & Extra) => Promise<z.input<R> | Also>,
) => void;

interface Person {
  user: Identity;
  db: Database;
}

interface KeyHolder {
  key: Pick<AdmittedKey, "id" | "workspaceId" | "scopes" | "createdBy">;
  db: Database;
}

export interface Download {
  name: string;
  content: BodyInit;
  type?: DownloadType;
}

export interface Binder {
  open: Register<unknown>;
  signedIn: Register<Person>;
  withKey: Register<KeyHolder, OverrideResponse>;
  inProtocol: <R extends Schema>(
    endpoint: Endpoint<Schema, z.ZodUndefined, z.ZodUndefined, R>,
    handler: (call: Call<undefined, undefined, undefined> & KeyHolder & { request: Request }) => Promise<RawResponse>,
  ) => void;
  file: <P extends Schema, Q extends Schema>(
    endpoint: Endpoint<P, Q, z.ZodUndefined>,
    handler: (call: Call<z.output<P>, z.output<Q>, undefined> & Person) => Promise<Download>,
  ) => void;
  fileForKey: <P extends Schema, Q extends Schema>(
    endpoint: Endpoint<P, Q, z.ZodUndefined>,
    handler: (call: Call<z.output<P>, z.output<Q>, undefined> & KeyHolder) => Promise<Download>,
  ) => void;
  readSession: ReadSession;
}

interface Caller {
  subject: string;
  byCookie: boolean;
  given: object;
}

export function createBinder(app: ApiApp, env: Env, keys: KeyCalls = createKeyCalls(env)): Binder {
  const limiter = createRateLimiter(env);
  const readSession = createSessionReader(env, createTokenVerifier(env), limiter);

  const personOf = async (context: Context, cookies: SessionCookies, endpoint: Endpoint): Promise<Caller> => {
    const request = context.req.raw;
    if (bearerToken(request.headers)?.startsWith(apiKeyPrefix))
      throw notWithThis("API keys are for /api/v1. This call is for people who are signed in.");
    const session = await readSession(request, cookies);
    if (!session) throw new AppError("unauthenticated");
    const network = isNoted(endpoint) ? await sealNetwork(env, request.headers, session.user.id) : undefined;
    const db = new Database(env, session.user.token, { requestId: context.get("requestId") as string, network });
    return { subject: session.user.id, byCookie: session.byCookie, given: { user: session.user, db } };
  };

  const keyHolderOf = async (context: Context, { scope, alsoAssistants }: KeyAccess, address: string): Promise<Caller> => {
    const secret = bearerToken(context.req.raw.headers);
    const challenge = alsoAssistants ? howToConnect(env, secret !== null) : undefined;
    if (!secret?.startsWith(apiKeyPrefix)) throw notWithThis("This call needs an API key: Authorization: Bearer tdk_…", challenge);
    if (!isApiKey(secret)) throw notWithThis("This isn't a valid API key: it's incomplete or mistyped.", challenge);
    const network = auditNetwork(forwardedAddress(context.req.raw.headers, env.trustedProxies));
    const key = await keys.admit(secret, network);
    if (!key) {
      await limiter.count(alsoAssistants ? "unknownToken" : "unknownKey", { address });
      throw notWithThis("This API key is unknown, expired or revoked.", challenge);
    }
    if (key.assistant && !alsoAssistants)
      throw notWithThis("This is an assistant's token, which is for /api/mcp. This call needs an API key.");
    sayWhatIsLeft(context, key, env);
    if (key.wait > 0) throw new AppError("rate_limited", { retryAfter: key.wait });
    if (scope !== null && !key.scopes.includes(scope)) throw new AppError("scope_missing", { scope });
    return { subject: `keys of ${key.workspaceId}`, byCookie: false, given: { key, db: keys.databaseOf(key, network) } };
  };

  const run = async (context: Context, endpoint: Endpoint, handler: Handler, cookies: SessionCookies, reply: Reply) => {
    const request = context.req.raw;
    const { access } = endpoint;
    const address = clientAddress(request.headers, env.trustedProxies);
    if (endpoint.protocol) requireSameOrigin(request.headers, env.publicUrl, false);
    const caller =
      access === "public"
        ? null
        : isForKeys(access)
          ? await keyHolderOf(context, access, address)
          : await personOf(context, cookies, endpoint);
    if (!isForKeys(access)) guardWrite(request, endpoint, env, caller);
    await limiter.count(endpoint.limit, { address, person: caller?.subject });
    const idempotencyKey = endpoint.idempotent ? readIdempotencyKey(request.headers) : null;
    const addressed = readAddress(context, endpoint);
    const raw = new Uint8Array(await receive(request, endpoint));
    const input = { ...addressed, ...readBody(request, raw, endpoint), raw };
    const subjects = namedIn(input, address);
    const silentlyLimited = !(await limiter.count(endpoint.limit, subjects));
    const { headers } = request;
    const handlerContext = {
      ...caller?.given,
      idempotencyKey,
      silentlyLimited,
      request,
      headers,
      requestId: context.get("requestId") as string,
    };
    const result = await handler({ ...input, ...handlerContext, cookies, env, reply }).catch(async (error: unknown) => {
      throw (await whatIsLacking(error, caller, input.params as Params)) ?? error;
    });
    await limiter.forgive(endpoint.limit, subjects);
    return result;
  };

  const bind = (endpoint: Endpoint, handler: Handler, forWhom: "anybody" | "people" | "keys") => {
    const { access } = endpoint;
    if (forWhom !== (access === "public" ? "anybody" : isForKeys(access) ? "keys" : "people"))
      throw new Error(`${endpoint.method} ${endpoint.path} is bound against its access`);
    app.on(endpoint.method, routeOf(endpoint), async (context) => {
      context.set("route", endpoint.path);
      for (const [name, value] of Object.entries(deprecationHeaders(endpoint))) context.header(name, value);
      const cookies = new SessionCookies(context.req.header("cookie") ?? null, env.publicUrl.startsWith("https:"));
      const reply: Reply = { headers: {} };
      const result = await run(context, endpoint, handler, cookies, reply).finally(() => {
        for (const line of cookies.lines()) context.header("set-cookie", line, { append: true });
        if (reply.tool !== undefined) context.set("tool", reply.tool);
      });
      for (const [name, value] of Object.entries(reply.headers)) context.header(name, value);
      if (result instanceof OverrideResponse)
        return context.newResponse(result.body, result.status, result.type === undefined ? {} : { "content-type": result.type });
      if (result instanceof RawResponse) {
        if (result.type !== null) context.header("content-type", result.type);
        return context.newResponse(result.body === "" ? null : result.body, result.status as StatusCode);
      }
      if (endpoint.download) return download(context, endpoint.download, endpoint.otherDownloads ?? [], result as Download);
      const shown = endpoint.response.parse(result) as { location?: string; next_cursor?: string | null };
      if (isForKeys(endpoint.access)) linkToNext(context, env, shown);
      if (endpoint.status === 302) return context.redirect(shown.location ?? "/");
      return context.body(JSON.stringify(shown), reply.status ?? endpoint.status, { "content-type": "application/json" });
    });
  };

  return {
    open: (endpoint, handler) => bind(endpoint as unknown as Endpoint, handler as Handler, "anybody"),
    signedIn: (endpoint, handler) => bind(endpoint as unknown as Endpoint, handler as unknown as Handler, "people"),
    withKey: (endpoint, handler) => bind(endpoint as unknown as Endpoint, handler as unknown as Handler, "keys"),
    file: (endpoint, handler) => bind(endpoint as unknown as Endpoint, handler as unknown as Handler, "people"),
    inProtocol: (endpoint, handler) => bind(endpoint as unknown as Endpoint, handler as unknown as Handler, "keys"),
    fileForKey: (endpoint, handler) => bind(endpoint as unknown as Endpoint, handler as unknown as Handler, "keys"),
    readSession,
  };
}

type Params = Record<string, string> | undefined;

/** A workspace isn't visible to members without the second factor or single sign-on that it requires, so calls find nothing. */
async function whatIsLacking(error: unknown, caller: Caller | null, params: Params): Promise<AppError | null> {
  const workspace = params?.workspaceId;
  if (!(error instanceof AppError) || error.code !== "not_found" || workspace === undefined || !caller || !("user" in caller.given))
    return null;
  const { data: code } = await (caller as { given: Person }).given.db.rpc("access_gap_of", { workspace_id: workspace });
  return isErrorCode(code) ? new AppError(code) : null;
}

function download(
  context: Context,
  usual: DownloadType,
  others: readonly DownloadType[],
  { name, content, type = usual }: Download,
): Response {
  if (type !== usual && !others.includes(type)) throw new Error(`${type} isn't a download type of this endpoint`);
  context.header("content-type", type.startsWith("text/") ? `${type}; charset=utf-8` : type);
  context.header("content-disposition", `attachment; filename="${name}"`);
  return context.body(content as ReadableStream);
}

/** Reads aren't audited, downloads are. */
const isNoted = ({ method, download }: Endpoint): boolean => method !== "GET" || download !== undefined;

type Handler = (call: Call<unknown, unknown, unknown>) => Promise<unknown>;

function routeOf(endpoint: Pick<Endpoint, "path">): string {
  return endpoint.path.slice("/api".length).replace(/\{(\w+)\}/g, ":$1");
}

/** Wrong type of credentials for this endpoint. */
const notWithThis = (sentence: string, challenge: "Bearer" | `Bearer ${string}` = "Bearer") =>
  new AppError("unauthenticated", { sentence, fields: { authorization: sentence }, challenge });

/** RFC 9728 and RFC 6750: where assistants connect, and with which scopes. */
function howToConnect({ publicUrl }: Env, cameWithSomething: boolean): `Bearer ${string}` {
  const wrong = cameWithSomething ? 'error="invalid_token", ' : "";
  return `Bearer ${wrong}resource_metadata="${publicUrl}${resourceMetadataPaths[1]}", scope="${assistantScopes.join(" ")}"`;
}

/** draft-ietf-httpapi-ratelimit-headers. */
function sayWhatIsLeft(context: Context, { remaining }: AdmittedKey, env: Env): void {
  const size = scaledSize(apiKeyRate, env.rateLimitScale);
  const { seconds } = apiKeyRate;
  context.header("ratelimit-policy", `"key";q=${size};w=${seconds}`);
  context.header("ratelimit", `"key";r=${remaining};t=${Math.ceil(((size - remaining) * seconds) / size)}`);
}

/** RFC 8288, for lists. */
function linkToNext({ req, header }: Context, env: Env, { next_cursor }: { next_cursor?: string | null }): void {
  if (!next_cursor) return;
  const next = new URL(env.publicUrl + req.path + new URL(req.url).search);
  next.searchParams.set("cursor", next_cursor);
  header("link", `<${next.href}>; rel="next"`, { append: true });
}

function guardWrite(request: Request, endpoint: Endpoint, env: Env, caller: Caller | null): void {
  if (endpoint.method === "GET" || (caller && !caller.byCookie)) return;
  requireSameOrigin(request.headers, env.publicUrl, caller !== null);
  if (caller) requireMediaType(request, endpoint);
}

function readAddress(context: Context, endpoint: Endpoint) {
  const params = endpoint.params?.safeParse(context.req.param());
  if (params?.success === false) throw new AppError("not_found");
  return { params: params?.data, query: check(endpoint.query, context.req.query()) };
}

function readBody(request: Request, raw: Bytes, endpoint: Endpoint) {
  const file = endpoint.multipart ? readFile(request, raw, endpoint) : undefined;
  if (!endpoint.body) return { file, body: undefined };
  const json = readJson(request, raw, endpoint);
  if (json === undefined && !endpoint.body.safeParse(undefined).success) throw new AppError("invalid_json");
  return { file, body: check(endpoint.body, json) };
}

function namedIn({ params, body }: { params: unknown; body: unknown }, address: string): RateSubjects {
  const { email, token } = { ...(params as object), ...(body as object) } as Record<"email" | "token", string | undefined>;
  return { ...accountSubjects(email, address), token };
}

function check(schema: Schema | undefined, value: unknown): unknown {
  const parsed = schema?.safeParse(value);
  if (parsed?.success === false) throw new AppError("validation_failed", { fields: fieldsOf(parsed.error) });
  return parsed?.data;
}

/** First message per field; nested paths as `blocks.0.type`. */
export function fieldsOf(error: z.ZodError, whole = "body"): Record<string, string> {
  const fields = new Map<string, string>(); // a Map, as a field may be called "constructor"
  const note = (field: string, sentence: string) => fields.has(field) || fields.set(field, sentence);
  for (const issue of error.issues) {
    const { path, message } = issue;
    if (issue.code !== "unrecognized_keys") note(path.join(".") || whole, message);
    else for (const key of issue.keys.slice(0, 10)) note([...path, key.slice(0, 60)].join("."), "This field doesn't exist");
  }
  return Object.fromEntries(fields);
}
