import { jsonBodyMaxBytes, mcpBodyMaxBytes, mcpPath, multipartBodyMaxBytes } from "#contract/body-limits.ts";

/** Maximum body size in bytes by content type; assistants send files in JSON. */
export function bodyLimitOf(contentType: string | null, path: string): number {
  const type = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  const isText = type === "" || type === "application/json" || type.startsWith("text/") || type === "application/x-www-form-urlencoded";
  if (!isText) return multipartBodyMaxBytes;
  return path === mcpPath ? mcpBodyMaxBytes : jsonBodyMaxBytes;
}

/** Bodies up to this size are buffered; larger ones and those of unknown length are streamed. */
export const onePiece = 8_192;

export const lengthOf = (headers: Headers): number => Number(headers.get("content-length") ?? Infinity);

export interface LimitedBody {
  /** Fails once the body exceeds the limit, stalls, or the client disconnects. */
  stream: ReadableStream<Uint8Array> | null;
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  exceeded(): boolean;
  stalled(): boolean;
}

const longestSilenceMs = 30_000;
const silent = () => new Error("the body stopped arriving");

/** Limits a body's size and idle time. Null if its declared length is too large. */
export function limitBody(request: Request, silenceMs = longestSilenceMs): LimitedBody | null {
  const limit = bodyLimitOf(request.headers.get("content-type"), new URL(request.url).pathname);
  const length = lengthOf(request.headers);
  if (Number.isFinite(length) && length > limit) return null;
  if (!request.body) return { stream: null, bytes: () => request.bytes(), exceeded: () => false, stalled: () => false };
  if (length <= onePiece) return shortBody(request, silenceMs);
  return longBody(request.body, limit, silenceMs, request.signal);
}

/** Buffered, because that's faster for small bodies. */
function shortBody(request: Request, silenceMs: number): LimitedBody {
  let stalled = false;
  const bytes = async () => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        stalled = true;
        reject(silent());
      }, silenceMs);
    });
    return await Promise.race([request.bytes(), silence, endOf(request.signal)]).finally(() => clearTimeout(timer));
  };
  return { stream: request.body, bytes, exceeded: () => false, stalled: () => stalled };
}

function longBody(sent: ReadableStream<Uint8Array>, limit: number, silenceMs: number, signal: AbortSignal): LimitedBody {
  let received = 0;
  let stalled = false;
  let silence: ReturnType<typeof setTimeout>;
  const listen = (controller: TransformStreamDefaultController<Uint8Array>): void => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      stalled = true;
      controller.error(silent());
    }, silenceMs);
  };
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    start(controller) {
      listen(controller);
      signal.addEventListener("abort", () => {
        clearTimeout(silence);
        controller.error(signal.reason);
      });
    },
    transform(chunk, controller) {
      received += chunk.byteLength;
      if (received > limit) return controller.error(new Error("body too large"));
      listen(controller);
      controller.enqueue(chunk);
    },
    flush: () => clearTimeout(silence),
  });
  const stream = sent.pipeThrough(counting);
  return { stream, bytes: () => new Response(stream).bytes(), exceeded: () => received > limit, stalled: () => stalled };
}

const endOf = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }));

/** The body to forward; fails once `end` is aborted. */
export async function contentOf(request: Request, body: LimitedBody, end: AbortSignal): Promise<BodyInit | null> {
  if (request.method === "GET" || request.method === "HEAD") return null;
  if (lengthOf(request.headers) > onePiece) return body.stream;
  return await Promise.race([body.bytes(), endOf(end)]);
}

export async function wholeOf(request: Request, body: LimitedBody): Promise<Uint8Array<ArrayBuffer> | null> {
  return request.method === "GET" || request.method === "HEAD" || body.stream === null ? null : await body.bytes();
}
