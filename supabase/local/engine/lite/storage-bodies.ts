import { decodedPath } from "../decoded-path.ts";

/** Files of a list: without a limit, as hosted has it, and at most. lite would give all there are, and is busy with twenty thousand for half a second. */
const listed = { usually: 100, most: 1_000 };
const lists = /^\/storage\/v1\/object\/list\b/;

/**
 * A request of Storage as lite 0.10 can bear it: with a limit where it asks for a list; null when a name has the character 0 in it, as part of the
 * address or of the JSON body, which Postgres cannot hold and lite refuses with a nameless 500.
 */
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
    const asked = JSON.parse(json) as { limit?: unknown } | null;
    if (typeof asked !== "object" || asked === null || Array.isArray(asked)) return json;
    const { limit } = asked;
    if (limit !== undefined && limit !== null && typeof limit !== "number") return json; // lite says what is wrong with it
    return JSON.stringify({ ...asked, limit: Math.min(limit || listed.usually, listed.most) });
  } catch {
    return json;
  }
}

/** As Storage says it on hosted. */
export const invalidKey = (): Response =>
  Response.json(
    { statusCode: "400", error: "InvalidKey", message: "Invalid key" },
    { status: 400, headers: { "access-control-allow-origin": "*" } },
  );

function saysZero(json: string): boolean {
  let found = false;
  try {
    JSON.parse(json, (key, value: unknown) => {
      found ||= key.includes("\0") || (typeof value === "string" && value.includes("\0"));
      return value;
    });
  } catch {
    return false; // lite says what is wrong with it
  }
  return found;
}
