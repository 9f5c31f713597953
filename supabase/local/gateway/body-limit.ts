import { jsonBodyMaxBytes, mcpBodyMaxBytes, mcpPath, multipartBodyMaxBytes } from "#contract/body-limits.ts";

/** Bytes that a body of this content type may have: files more than JSON, but for assistants, who send files in it. */
export function bodyLimitOf(contentType: string | null, path: string): number {
  const type = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  const isText = type === "" || type === "application/json" || type.startsWith("text/") || type === "application/x-www-form-urlencoded";
  if (!isText) return multipartBodyMaxBytes;
  return path === mcpPath ? mcpBodyMaxBytes : jsonBodyMaxBytes;
}

/** Bodies up to this many bytes are handed on in one piece; larger ones, and those that do not say their size, as they come. */
export const onePiece = 8_192;

/** Infinite where a body does not say its length. */
export const lengthOf = (headers: Headers): number => Number(headers.get("content-length") ?? Infinity);

export interface LimitedBody {
  /** The body, cut off with an error once it has grown over the limit, nothing more of it comes, or its sender has disconnected. */
  stream: ReadableStream<Uint8Array> | null;
  /** All of it, or that error. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>;
  exceeded(): boolean;
  stalled(): boolean;
}

/** A sender who is silent for so long has gone, or wants us to wait. */
const longestSilenceMs = 30_000;
const silent = () => new Error("the body stopped arriving");

/** Holds a request to the limit of its type, whether it says its length or not, and to going on. Null: it says a length that is too large. */
export function limitBody(request: Request, silenceMs = longestSilenceMs): LimitedBody | null {
  const limit = bodyLimitOf(request.headers.get("content-type"), new URL(request.url).pathname);
  const length = lengthOf(request.headers);
  if (Number.isFinite(length) && length > limit) return null;
  if (!request.body) return { stream: null, bytes: () => request.bytes(), exceeded: () => false, stalled: () => false };
  if (length <= onePiece) return shortBody(request, silenceMs);
  return longBody(request.body, limit, silenceMs, request.signal);
}

/** HTTP holds a body to the length it says. In one piece it is read faster, and so much is either here at once or never. */
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

/** Rejects when a signal is aborted. */
const endOf = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }));

/** The body as the part behind gets it; an error once `end` says that it is no longer waited for. */
export async function contentOf(request: Request, body: LimitedBody, end: AbortSignal): Promise<BodyInit | null> {
  if (request.method === "GET" || request.method === "HEAD") return null;
  if (lengthOf(request.headers) > onePiece) return body.stream;
  return await Promise.race([body.bytes(), endOf(end)]);
}

/** All of a body, for a part in this process; null when there is none. */
export async function wholeOf(request: Request, body: LimitedBody): Promise<Uint8Array<ArrayBuffer> | null> {
  return request.method === "GET" || request.method === "HEAD" || body.stream === null ? null : await body.bytes();
}
