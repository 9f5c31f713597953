import { decodedPath } from "../decoded-path.ts";

const listed = { usually: 100, most: 1_000 };
const lists = /^\/storage\/v1\/object\/list\b/;

export async function readBody(request: Request): Promise<Request | null> {
  const { pathname } = new URL(request.url);
  if (!pathname.startsWith("/storage/v1/")) return request;
  if (/%00/.test(pathname)) return null;
  if (!request.headers.get("content-type")?.startsWith("application/json")) return request;
  const text = await request.text();
  if (saysZero(text)) return null;
  const body = lists.test(decodedPath(pathname)) ? withLimit(text) : text;
  return new Request(request.url, { method: request.method, headers: request.headers, body: body || null });
}

function withLimit(json: string): string {
  try {
    const options = JSON.parse(json) as { limit?: unknown } | null;
    if (typeof options !== "object" || options === null || Array.isArray(options)) return json;
    const { limit } = options;
    if (limit !== undefined && limit !== null && typeof limit !== "number") return json; // lite returns the validation error
    return JSON.stringify({ ...options, limit: Math.min(limit || listed.usually, listed.most) });
  } catch {
    return json;
  }
}

export const invalidKey = (): Response =>
  Response.json(
    { statusCode: "400", error: "InvalidKey", message: "Invalid key" },
    { status: 400, headers: { "access-control-allow-origin": "*" } },
  );

function saysZero(json: string): boolean {
  let hasNul = false;
  try {
    JSON.parse(json, (key, value: unknown) => {
      hasNul ||= key.includes("\0") || (typeof value === "string" && value.includes("\0"));
      return value;
    });
  } catch {
    return false;
  }
  return hasNul;
}
