import { z } from "zod";
import { isForKeys, type Endpoint } from "../endpoint.ts";
import { problemType } from "../error-body.ts";
import { asProblem, errorCatalogue, type ErrorCode } from "../errors.ts";
import { multipartBodyMaxBytes } from "../body-limits.ts";
import { roles } from "../kinds.ts";
import { idempotencyKeyMaxLength } from "../limits.ts";
import { rateLimits } from "../rate-limits.ts";
import { componentSchemas, exampleOf, type Json, propertyDoc, schemaOf } from "./schema-of.ts";

type Areas = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const common: readonly ErrorCode[] = ["validation_failed", "rate_limited", "internal", "storage_full", "unavailable"];
const withSession: readonly ErrorCode[] = ["unauthenticated", "cross_origin"];
const withKey: readonly ErrorCode[] = ["unauthenticated", "scope_missing"];
const withBody: readonly ErrorCode[] = ["invalid_json", "body_too_large", "unsupported_media_type"];

const forPrograms: Readonly<Record<string, { tag: string; description: string }>> = {
  v1Posts: { tag: "Posts", description: "Write posts as Markdown or blocks; read both." },
  v1Revisions: { tag: "Versions", description: "Earlier versions of a post; each save is one." },
  v1Comments: { tag: "Comments", description: "What the team discusses beside a post." },
  v1Reviews: { tag: "Approval", description: "Approval by a second person, also for keys that can't publish." },
  v1Tags: { tag: "Tags", description: "A tag's key follows its name." },
  v1Images: { tag: "Images", description: "Images for posts. Images not used in a post within 30 days are deleted." },
  v1Readers: { tag: "Readers", description: "Readers whom your product identifies. Needs a key of an owner or admin." },
  v1Subscribers: { tag: "Subscribers", description: "Email subscribers. Needs a key of an owner or admin." },
  v1Stats: { tag: "Numbers", description: "Numbers from the dashboard and the analytics page." },
  v1Domains: { tag: "Domains", description: "Custom domains of the public page. Add and remove them in the app." },
  v1Access: { tag: "Access", description: "Who can read the public changelog. Needs a key of an owner or admin." },
  v1Exports: { tag: "Export", description: "All posts, in common formats." },
  v1Webhooks: { tag: "Webhooks", description: "Webhooks and chat notifications. Programs can register and remove their own." },
  thisKey: { tag: "This key", description: "The key in use and its scopes." },
  mcp: { tag: "Assistants", description: "Model Context Protocol: one endpoint; clients list its tools." },
};
const tagOf = (area: string): string => forPrograms[area]?.tag ?? `App: ${area}`;
const payloadTag = "Webhook payloads";

const introduction = `The API is at \`/api/v1\`. Send a workspace's key in \`Authorization: Bearer tdk_…\`. An owner or admin creates it in the workspace's\nsettings under API keys. It acts as that person within its scopes and never changes what readers see without \`posts:publish\`, or who can read it without \`access:write\`.\n\nA key can make 120 calls a minute and 20 more at once; the \`RateLimit\` header of every response has the rest. Errors are\n\`{"error": "a sentence", "code": "stable_code", "fields": {"title": "Title is required"}}\` with the members of RFC 9457. Unknown fields are rejected by name.\n\nTimes are ISO 8601 with a zone, ids are UUIDs. Keep keys secret and on a server: web pages on other sites can't read responses.`;

export const publicAreas = (areas: Areas): Areas => Object.fromEntries(Object.entries(areas).filter(([area]) => area in forPrograms));

const appSecurity = {
  session: { type: "apiKey", in: "cookie", name: "tc-auth", description: "Writes also need this origin in the Origin header." },
  token: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
};

/** OpenAPI 3.1. `origin` is this installation's URL; `messages` are webhook payloads by event. */
export function describeApi(areas: Areas, origin: string, messages: Readonly<Record<string, z.ZodType>> = {}): Json & { openapi: string } {
  const paths: Record<string, Json> = {};
  const schemas = componentSchemas();
  const programsFirst = Object.entries(areas).toSorted(([a], [b]) => placeOf(a) - placeOf(b));
  for (const [area, calls] of programsFirst) {
    for (const [name, call] of Object.entries(calls)) {
      const endpoint = call as Endpoint;
      (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(area, name, endpoint, origin, schemas);
    }
  }
  const webhookMessages = Object.entries(messages);
  const ofPrograms = programsFirst.flatMap(([area]) => forPrograms[area] ?? []);
  const ofTheApp = programsFirst.filter(([area]) => !forPrograms[area]).map(([area]) => tagOf(area));
  return {
    openapi: "3.1.0",
    info: {
      title: "Tidings",
      version: "1",
      description: introduction,
      contact: { name: "Tidings", url: origin },
      license: { name: "MIT", identifier: "MIT" },
    },
    externalDocs: { description: "API reference", url: `${origin}/developers` },
    servers: [{ url: origin }],
    tags: [
      ...ofPrograms.map(({ tag, description }) => ({ name: tag, description })),
      ...(webhookMessages.length > 0 ? [{ name: payloadTag, description: "Signed by Standard Webhooks 1.0.0." }] : []),
      ...ofTheApp.map((name) => ({ name, description: "For signed-in people; changes without notice." })),
    ],
    "x-tagGroups": [
      { name: "Public API", tags: [...ofPrograms.map(({ tag }) => tag), ...(webhookMessages.length > 0 ? [payloadTag] : [])] },
      ...(ofTheApp.length > 0 ? [{ name: "Internal API of the app", tags: ofTheApp }] : []),
    ],
    paths,
    ...(webhookMessages.length > 0 && {
      webhooks: Object.fromEntries(webhookMessages.map(([event, body]) => [event, { post: message(event, body, schemas) }])),
    }),
    components: {
      securitySchemes: {
        ...(ofTheApp.length > 0 && appSecurity),
        key: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "tdk_…",
          description: "An API key of a workspace. Each call lists the scope it needs.",
        },
      },
      schemas,
    },
  };
}

const placeOf = (area: string): number => {
  const place = Object.keys(forPrograms).indexOf(area);
  return place < 0 ? Infinity : place;
};

function message(event: string, body: z.ZodType, schemas: Json): Json {
  const header = (name: string, description: string) => ({ name, in: "header", required: true, description, schema: { type: "string" } });
  return {
    operationId: `webhooks_${event.replaceAll(".", "_")}`,
    tags: [payloadTag],
    summary: event,
    security: [],
    parameters: [
      header("webhook-id", "The same on every retry."),
      header("webhook-timestamp", "Time of this attempt, in seconds since 1970."),
      header("webhook-signature", "v1, and the HMAC-SHA256 of id.timestamp.body in base64; several are separated by spaces."),
    ],
    requestBody: { required: true, content: { "application/json": withExample(schemaOf(body, "output", "WebhookMessage"), schemas) } },
    responses: { "2XX": { description: "Accepted. Any other status is a failure and is retried." } },
  };
}

function operation(area: string, name: string, endpoint: Endpoint, origin: string, schemas: Json): Json {
  const { access, limit, details, deprecated } = endpoint;
  const context = area.replace(/^v1/, "").replace(/^\w/, (letter) => letter.toUpperCase());
  const sentences = [
    ...(deprecated === undefined ? [] : [`Deprecated since ${deprecated.since}, works until ${deprecated.sunset}: ${deprecated.link}`]),
    ...(details === undefined ? [] : [details]),
    ...(typeof access === "string" || isForKeys(access) ? [] : [`Roles: ${access.join(", ")}.`]),
    ...(isForKeys(access) && access.scope !== null ? [`Scope: ${access.scope}.`] : []),
    ...(limit ? [`Limits: ${Object.entries(rateLimits[limit]).map(rateText).join("; ")}.`] : []),
  ];
  const call = isForKeys(access) ? `\n\n\`\`\`sh\n${curlOf(endpoint, origin)}\n\`\`\`` : "";
  return {
    operationId: `${area}_${name}`,
    tags: [tagOf(area)],
    summary: endpoint.summary,
    ...(deprecated && { deprecated: true }),
    description: sentences.join(" ") + call || undefined,
    security: access === "public" ? [] : isForKeys(access) ? [{ key: [] }] : [{ session: [] }, { token: [] }],
    parameters: [
      ...parameters("path", endpoint.params),
      ...parameters("query", endpoint.query),
      ...(endpoint.idempotent ? [idempotencyKey] : []),
      ...(endpoint.conditional ? [conditions[endpoint.conditional]] : []),
    ],
    ...requestBody(endpoint, `${context}Request`, schemas),
    responses: {
      [endpoint.status]: success(endpoint, `${context}Response`, schemas),
      ...(endpoint.alsoCreates && { 201: success(endpoint, `${context}Response`, schemas) }),
      ...(endpoint.conditional === "read" && { 304: { description: "Unchanged since If-None-Match" } }),
      ...refusals(endpoint, origin),
      ...(endpoint.protocol && inProtocol),
    },
  };
}

/** JSON-RPC error, or an empty body (Streamable HTTP). */
const rpcError = {
  type: "object",
  required: ["jsonrpc", "id", "error"],
  properties: {
    jsonrpc: { const: "2.0", description: "Version of JSON-RPC." },
    id: { type: ["string", "number", "null"], description: "Id of the request." },
    error: {
      type: "object",
      description: "The error.",
      required: ["code", "message"],
      properties: {
        code: { type: "integer", description: "Error code of JSON-RPC." },
        message: { type: "string", description: "The error as a sentence." },
      },
    },
  },
};
const inProtocol: Record<string, Json> = {
  202: { description: "A notification or a client's response" },
  400: { description: "Not a valid protocol message", content: { "application/json": { schema: rpcError } } },
  404: {
    description: "Unknown method, or not_found",
    content: { "application/json": { schema: { anyOf: [rpcError, { $ref: "#/components/schemas/Error" }] } } },
  },
};

const etagExample = '"v7.pQ2x_8aLr0Zk"';
const conditions = {
  read: {
    name: "If-None-Match",
    in: "header",
    required: false,
    description: "ETag of an earlier response: 304 if unchanged.",
    schema: { type: "string", examples: [etagExample] },
  },
  write: {
    name: "If-Match",
    in: "header",
    required: false,
    description:
      "ETag or version that this change is based on: 409 with the current version if it's stale. Without it the change overwrites.",
    schema: { type: "string", examples: [etagExample, '"v7"'] },
  },
};

function curlOf({ method, path, query, example, orBareFile, download }: Endpoint, origin: string): string {
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`);
  const needed = query && z.toJSONSchema(query, { io: "input", unrepresentable: "any" }).required;
  const queryText = needed?.includes("key") ? "?key=beta" : needed?.includes("format") ? "?format=markdown" : "";
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"${origin}${address}${queryText}"`,
    `  -H "Authorization: Bearer $TIDINGS_KEY"`,
  ];
  if (download) lines.push(`  -o posts.zip`);
  else if (orBareFile) lines.push(`  -H "Content-Type: image/png" --data-binary @picture.png`);
  else if (example !== undefined) lines.push(`  -H "Content-Type: application/json"`, `  -d '${JSON.stringify(example)}'`);
  return lines.join(" \\\n");
}

const rateHeaders = {
  RateLimit: {
    description: 'Remaining calls (r) and seconds until all are available (t): "key";r=139;t=1',
    schema: { type: "string" },
  },
  "RateLimit-Policy": { description: 'Calls (q) per window in seconds (w): "key";q=140;w=70', schema: { type: "string" } },
};

const rateText = ([subject, { size, seconds }]: [string, { size: number; seconds: number }]) =>
  `${size} in ${seconds} s for one ${subject === "accountAtAddress" ? "account from one address" : subject}`;

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "For a day, the same key with the same request returns the first response.",
  schema: { type: "string", minLength: 1, maxLength: idempotencyKeyMaxLength },
};

function parameters(place: "path" | "query", schema: z.ZodType | undefined): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, "input", "parameter") as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    description: propertyDoc(name, "parameter")?.[0],
    schema: property,
  }));
}

function requestBody({ body, multipart, raw, orBareFile, example }: Endpoint, context: string, schemas: Json): Json {
  if (raw) return { requestBody: { required: true, content: { "application/json": { schema: {} } } } };
  if (multipart) {
    const file = { type: "string", format: "binary", maxLength: multipartBodyMaxBytes, description: "The file." };
    const schema = { type: "object", properties: { [multipart]: file }, required: [multipart] };
    const bare = orBareFile && { [orBareFile]: { schema: { type: "string", format: "binary", maxLength: multipartBodyMaxBytes } } };
    return { requestBody: { required: true, content: { "multipart/form-data": { schema }, ...bare } } };
  }
  if (!body) return {};
  return {
    requestBody: {
      required: !body.safeParse(undefined).success,
      content: { "application/json": withExample(schemaOf(body, "input", context), schemas, example) },
    },
  };
}

function success(endpoint: Endpoint, context: string, schemas: Json): Json {
  const { status, response, download, otherDownloads = [], access, conditional, alsoAs } = endpoint;
  if (status === 302) return { description: "Redirect", headers: { Location: { schema: { type: "string" } } } };
  const schema = schemaOf(response, "output", context);
  const isPaged = "next_cursor" in ((schema.properties ?? {}) as Json);
  const link = {
    Link: { description: "The next page, if there is one.", schema: { type: "string", examples: [`<…?cursor=…>; rel="next"`] } },
  };
  const etag = {
    ETag: {
      description: "The post's version and a hash of everything else in the response.",
      schema: { type: "string", examples: [etagExample] },
    },
  };
  return {
    description: "Success",
    ...(isForKeys(access) && { headers: { ...rateHeaders, ...(conditional && etag), ...(isPaged && link) } }),
    content: {
      [download ?? "application/json"]: withExample(schema, schemas),
      ...Object.fromEntries(otherDownloads.map((type) => [type, { schema: { type: type.endsWith("+json") ? "object" : "string" } }])),
      ...(alsoAs && { [alsoAs]: { schema: { type: "string" } } }),
    },
  };
}

const withExample = (schema: Json, schemas: Json, example = exampleOf(schema, schemas)): Json => ({ schema, example });

function refusals(endpoint: Endpoint, origin: string): Record<string, Json> {
  const isForPrograms = endpoint.path.startsWith("/api/v1/");
  const { access } = endpoint;
  const leavesOutRoles = Array.isArray(access) && access.length < roles.length;
  const codes = new Set<ErrorCode>([
    ...(leavesOutRoles ? (["forbidden"] as const) : []),
    ...(endpoint.errors ?? []),
    ...common,
    ...(access === "public" ? [] : isForKeys(access) ? withKey : withSession),
    ...(endpoint.params || typeof access !== "string" ? (["not_found"] as const) : []),
    ...(endpoint.body || endpoint.multipart ? withBody : []),
  ]);
  const byStatus = Map.groupBy(codes, (code) => errorCatalogue[code].status);
  const schema = { $ref: "#/components/schemas/Error" };
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => {
      const code = list[0]!;
      const example = { error: errorCatalogue[code].sentence, code };
      const content = { "application/json": { schema, example } };
      const asProblems = { [problemType]: { schema: { $ref: "#/components/schemas/Problem" }, example: asProblem(example, code, origin) } };
      return [status, { description: list.join(", "), content: isForPrograms ? { ...asProblems, ...content } : content }];
    }),
  );
}
