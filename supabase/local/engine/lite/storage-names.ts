/**
 * A request of Storage whose names Postgres can hold; null when one has the character 0 in it, as part of the address or of the JSON body.
 * lite 0.10 asks Postgres, and its refusal is a nameless 500.
 */
export async function readNames(request: Request): Promise<Request | null> {
  const { pathname } = new URL(request.url);
  if (!pathname.startsWith("/storage/v1/")) return request;
  if (/%00/.test(pathname)) return null;
  if (!request.headers.get("content-type")?.startsWith("application/json")) return request;
  const body = await request.text();
  return saysZero(body) ? null : new Request(request.url, { method: request.method, headers: request.headers, body: body || null });
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
