import { jsonBodyMaxBytes, multipartBodyMaxBytes } from "#contract/limits.ts";

/** Bytes that a body of this content type may have: files more than JSON. */
export function bodyLimitOf(contentType: string | null): number {
  const type = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  const isText = type === "" || type === "application/json" || type.startsWith("text/") || type === "application/x-www-form-urlencoded";
  return isText ? jsonBodyMaxBytes : multipartBodyMaxBytes;
}

export interface LimitedBody {
  /** The body, cut off with an error once it has grown over the limit. */
  stream: ReadableStream<Uint8Array> | null;
  exceeded(): boolean;
}

/** Holds a request to the limit of its type, whether it says its length or not. Null: it says one that is too large. */
export function limitBody(request: Request): LimitedBody | null {
  const limit = bodyLimitOf(request.headers.get("content-type"));
  if (Number(request.headers.get("content-length") ?? 0) > limit) return null;
  // HTTP itself holds a body to the length it says; handed on untouched it never passes through JavaScript.
  if (!request.body || request.headers.has("content-length")) return { stream: request.body ?? null, exceeded: () => false };
  let received = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      received += chunk.byteLength;
      if (received > limit) controller.error(new Error("body too large"));
      else controller.enqueue(chunk);
    },
  });
  return { stream: request.body.pipeThrough(counting), exceeded: () => received > limit };
}

/** Bodies up to this many bytes are handed on in one piece; larger ones, and those that do not say their size, as they come. */
export const onePiece = 8_192;

/** Infinite where a body does not say its length. */
export const lengthOf = (headers: Headers): number => Number(headers.get("content-length") ?? Infinity);

/** The body as the part behind gets it; `end` rejects when it is no longer waited for. */
export async function contentOf(request: Request, body: LimitedBody, end?: Promise<never>): Promise<BodyInit | null> {
  if (request.method === "GET" || request.method === "HEAD") return null;
  if (lengthOf(request.headers) > onePiece) return body.stream;
  return await Promise.race([request.bytes(), ...(end ? [end] : [])]);
}

/** All of a body, for a part in this process; null when there is none. */
export async function wholeOf(request: Request, { stream }: LimitedBody): Promise<Uint8Array<ArrayBuffer> | null> {
  if (request.method === "GET" || request.method === "HEAD" || stream === null) return null;
  return await new Response(stream).bytes();
}
