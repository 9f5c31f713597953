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
