import type { Endpoint } from "#contract/endpoint.ts";
import {
  jsonBodyMaxBytes,
  jsonMaxValues,
  largeBytes,
  mcpBodyMaxBytes,
  multipartBodyMaxBytes,
  rawBodyMaxBytes,
  smallJsonBodyMaxBytes,
  smallJsonMaxValues,
} from "#contract/body-limits.ts";
import { imageExtension, notAnImage, signatureLength } from "#contract/rules/image-type.ts";
import { hasTooManyValues } from "#contract/rules/json-values.ts";
import { fileBeginningIn, fileIn } from "#contract/rules/multipart.ts";
import type { Bytes } from "./base64.ts";
import { bytesUpTo } from "./bytes-up-to.ts";
import { AppError } from "./errors.ts";

type Arrived = (soFar: Bytes) => void;

export async function receive(request: Request, endpoint: Endpoint): Promise<ArrayBuffer> {
  const { multipart, raw, protocol, body, carriesContent } = endpoint;
  if (protocol) return await readUpTo(request, mcpBodyMaxBytes);
  if (raw) return await readUpTo(request, rawBodyMaxBytes);
  if (multipart) {
    if (mediaType(request) !== "multipart/form-data" && !isBareFile(request, endpoint)) throw new AppError("unsupported_media_type");
    return await readUpTo(request, multipartBodyMaxBytes, (soFar) => {
      if (isNoImage(request, soFar, endpoint)) throw new AppError("file_not_image", { fields: { image: notAnImage } });
    });
  }
  if (!body) return new ArrayBuffer(0);
  return await readUpTo(request, carriesContent ? jsonBodyMaxBytes : smallJsonBodyMaxBytes);
}

export function readJson(request: Request, bytes: Bytes, { carriesContent }: Pick<Endpoint, "carriesContent">): unknown {
  if (bytes.length === 0) return undefined;
  if (mediaType(request) !== "application/json") throw new AppError("unsupported_media_type");
  if (hasTooManyValues(bytes, carriesContent ? jsonMaxValues : smallJsonMaxValues)) throw new AppError("body_too_large");
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new AppError("invalid_json", { cause });
  }
}

/** The multipart file, or the bare body if the endpoint allows it; undefined if missing. */
export function readFile(request: Request, bytes: Bytes, endpoint: Endpoint): Uint8Array | undefined {
  if (isBareFile(request, endpoint)) return bytes.length > 0 ? bytes : undefined;
  return fileIn(bytes, request.headers.get("content-type") ?? "", endpoint.multipart!)?.bytes;
}

/** Rejects uploads that aren't images early; false while undecided. */
function isNoImage(request: Request, soFar: Bytes, endpoint: Endpoint): boolean {
  const type = request.headers.get("content-type") ?? "";
  const beginning = isBareFile(request, endpoint) ? soFar : fileBeginningIn(soFar, type, endpoint.multipart!, signatureLength);
  return beginning !== undefined && beginning.length >= signatureLength && imageExtension(beginning) === null;
}

const isBareFile = (request: Request, { orBareFile }: Endpoint): boolean =>
  orBareFile !== undefined && mediaType(request).startsWith(orBareFile.slice(0, -1));

export function requireMediaType(request: Request, endpoint: Endpoint): void {
  const expected = endpoint.multipart ? "multipart/form-data" : "application/json";
  if (mediaType(request) !== expected) throw new AppError("unsupported_media_type");
}

function mediaType(request: Request): string {
  return (request.headers.get("content-type") ?? "").split(";", 1)[0]!.trim().toLowerCase();
}

/**
 * HTTP enforces Content-Length; otherwise bytes are counted. The platform's reader is faster for short bodies, half as fast for files.
 */
async function readUpTo(request: Request, maxBytes: number, arrived?: Arrived): Promise<ArrayBuffer> {
  const length = Number(request.headers.get("content-length") ?? Infinity);
  if (length > maxBytes && length !== Infinity) throw new AppError("body_too_large");
  if (length <= largeBytes) return await request.arrayBuffer();
  const body = await bytesUpTo(request.body, maxBytes, arrived);
  if (body === null) throw new AppError("body_too_large");
  return body;
}
