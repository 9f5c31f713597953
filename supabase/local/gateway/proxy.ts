import { contentOf, lengthOf, type LimitedBody, onePiece } from "./body-limit.ts";
import { type Forwarded, forwardedHeaders } from "./forwarded.ts";
import { refuse, unavailable } from "./refuse.ts";

const timeoutMs = 60_000;
const client = Deno.createHttpClient({ poolMaxIdlePerHost: 64, poolIdleTimeout: 30_000 });
const withoutBody = new Set([101, 204, 205, 304]);
const ofOneConnection = ["connection", "keep-alive", "transfer-encoding"];
/** Responses up to this size (one packet) aren't compressed. */
const onePacket = 1_400;

export async function forward(
  request: Request,
  port: number,
  pathAndQuery: string,
  body: LimitedBody,
  forwarded: Forwarded,
  etag?: string,
): Promise<Response> {
  const stuck = new AbortController();
  const timer = setTimeout(() => stuck.abort(), timeoutMs);
  const sent = forwardedHeaders(request.headers, forwarded);
  if (etag !== undefined) sent.set("if-none-match", etag);
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${pathAndQuery}`, {
      method: request.method,
      headers: sent,
      body: await contentOf(request, body, stuck.signal),
      redirect: "manual",
      signal: stuck.signal,
      client,
    });
    const headers = new Headers(answer.headers);
    for (const name of ofOneConnection) headers.delete(name);
    const isWithoutBody = request.method === "HEAD" || withoutBody.has(answer.status);
    const length = lengthOf(answer.headers);
    if (isWithoutBody) return new Response(null, { status: answer.status, headers });
    if (length <= onePacket && headers.get("cache-control") === "no-store") headers.append("cache-control", "no-transform");
    return new Response(length <= onePiece ? await answer.bytes() : answer.body, { status: answer.status, headers });
  } catch {
    return body.exceeded() ? refuse("body_too_large") : unavailable();
  } finally {
    clearTimeout(timer);
  }
}
