import { z } from "zod";
import { endpoint, isForKeys, type Endpoint } from "./endpoint.ts";
import { errorBody } from "./error-body.ts";
import { errorCatalogue, type ErrorCode } from "./errors.ts";
import { multipartBodyMaxBytes } from "./body-limits.ts";
import { idempotencyKeyMaxLength } from "./limits.ts";
import { rateLimits } from "./rate-limits.ts";

export const openApiEndpoints = {
  document: endpoint({
    method: "GET",
    path: "/api/openapi.json",
    summary: "This description, as OpenAPI 3.1",
    access: "public",
    status: 200,
    response: z.looseObject({ openapi: z.string() }),
  }),
} as const;

type Json = Record<string, unknown>;
type Areas = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Refusals every call may answer with, beside those its endpoint names. */
const common: readonly ErrorCode[] = ["validation_failed", "rate_limited", "internal", "unavailable"];
const withSession: readonly ErrorCode[] = ["unauthenticated", "cross_origin"];
const withKey: readonly ErrorCode[] = ["unauthenticated", "scope_missing"];
const withBody: readonly ErrorCode[] = ["invalid_json", "body_too_large", "unsupported_media_type"];

/** The OpenAPI 3.1 document of a table of endpoints; `origin` is where this installation is. */
export function describeApi(areas: Areas, origin: string): Json & { openapi: string } {
  const paths: Record<string, Json> = {};
  for (const [area, calls] of Object.entries(areas)) {
    for (const [name, call] of Object.entries(calls)) {
      const endpoint = call as Endpoint;
      (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(area, name, endpoint);
    }
  }
  return {
    openapi: "3.1.0",
    info: { title: "Tidings", version: "1", description: "Every call under /api. Times are ISO 8601 with a zone, ids UUIDs." },
    servers: [{ url: origin }],
    paths,
    components: {
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: "tc-auth", description: "Writes also need this origin in the Origin header." },
        token: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        key: { type: "http", scheme: "bearer", bearerFormat: "tdk_…", description: "An API key of a workspace." },
      },
      schemas: { Error: schemaOf(errorBody, "output") },
    },
  };
}

function operation(area: string, name: string, endpoint: Endpoint): Json {
  const { access, limit } = endpoint;
  const roles = typeof access === "string" || isForKeys(access) ? [] : [`Roles: ${access.join(", ")}.`];
  const scopes = isForKeys(access) && access.scope !== null ? [`Scope: ${access.scope}.`] : [];
  const rates = limit ? [`Limits: ${Object.entries(rateLimits[limit]).map(rateText).join("; ")}.`] : [];
  return {
    operationId: `${area}.${name}`,
    tags: [area],
    summary: endpoint.summary,
    ...(roles.length + scopes.length + rates.length > 0 && { description: [...roles, ...scopes, ...rates].join(" ") }),
    security: access === "public" ? [] : isForKeys(access) ? [{ key: [] }] : [{ session: [] }, { token: [] }],
    parameters: [
      ...parameters("path", endpoint.params),
      ...parameters("query", endpoint.query),
      ...(endpoint.idempotent ? [idempotencyKey] : []),
    ],
    ...requestBody(endpoint),
    responses: { [endpoint.status]: success(endpoint), ...refusals(endpoint) },
  };
}

const rateText = ([subject, { size, seconds }]: [string, { size: number; seconds: number }]) =>
  `${size} in ${seconds} s for one ${subject === "accountAtAddress" ? "account from one address" : subject}`;

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "The same key with the same request gives the first answer again, for a day.",
  schema: { type: "string", minLength: 1, maxLength: idempotencyKeyMaxLength },
};

function parameters(place: "path" | "query", schema: z.ZodType | undefined): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, "input") as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: property,
  }));
}

function requestBody({ body, multipart, raw }: Endpoint): Json {
  if (raw) return { requestBody: { required: true, content: { "application/json": { schema: {} } } } };
  if (multipart) {
    const file = { type: "string", format: "binary", maxLength: multipartBodyMaxBytes };
    const schema = { type: "object", properties: { [multipart]: file }, required: [multipart] };
    return { requestBody: { required: true, content: { "multipart/form-data": { schema } } } };
  }
  if (!body) return {};
  return {
    requestBody: { required: !body.safeParse(undefined).success, content: { "application/json": { schema: schemaOf(body, "input") } } },
  };
}

function success({ status, response, download }: Endpoint): Json {
  if (status === 302) return { description: "Redirect", headers: { Location: { schema: { type: "string" } } } };
  return { description: "Success", content: { [download ?? "application/json"]: { schema: schemaOf(response, "output") } } };
}

function refusals(endpoint: Endpoint): Record<string, Json> {
  const codes = new Set<ErrorCode>([
    ...(endpoint.errors ?? []),
    ...common,
    ...(endpoint.access === "public" ? [] : isForKeys(endpoint.access) ? withKey : withSession),
    ...(endpoint.params || typeof endpoint.access !== "string" ? (["not_found"] as const) : []), // what it is about, wherever it is named
    ...(endpoint.body || endpoint.multipart ? withBody : []),
  ]);
  const byStatus = Map.groupBy(codes, (code) => errorCatalogue[code].status);
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
  return Object.fromEntries([...byStatus].map(([status, list]) => [status, { description: list.join(", "), content }]));
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      if (jsonSchema.format) delete jsonSchema.pattern; // the format says the same in one word
    },
  });
  return rest;
}
