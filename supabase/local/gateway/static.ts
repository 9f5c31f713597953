import fs from "node:fs";
import path from "node:path";
import { cacheControl, hashedName } from "./caching.ts";
import { parseRange } from "./range.ts";
import { refuse } from "./refuse.ts";
import { RecentlyUsed } from "#contract/rules/recently-used.ts";

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".gif": "image/gif",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".xml": "application/xml; charset=utf-8",
};

interface File {
  name: string;
  path: string;
  size: number;
  modified: Date;
}

export interface StaticOptions {
  fallback?: string;
  pageHeaders?: Record<string, string>;
  forOtherSites?: boolean;
}

export function serveStatic(
  request: Request,
  folder: string,
  pathname: string,
  { fallback, pageHeaders = {}, forOtherSites = false }: StaticOptions = {},
): Response {
  if (request.method !== "GET" && request.method !== "HEAD") return refuse("method_not_allowed", { allow: "GET, HEAD" });
  const file = fileAt(folder, pathname) ?? (fallback && isNavigation(request, pathname) ? fileAt(folder, fallback) : null);
  if (!file) return refuse("not_found");
  const more = path.extname(file.path) === ".html" ? pageHeaders : {};
  return serveFile(request, file, forOtherSites ? { ...more, ...openToAll } : more);
}

const openToAll = { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" };

/** True for page navigations; a missing script or image must stay a 404. */
function isNavigation(request: Request, pathname: string): boolean {
  return (
    !hashedName.test(pathname) &&
    path.extname(pathname) === "" &&
    (request.headers.get("accept") ?? "*/*").match(/text\/html|\*\/\*/) !== null
  );
}

function fileAt(folder: string, pathname: string): File | null {
  const name = decode(pathname);
  if (name === null) return null;
  const file = path.join(folder, name);
  if (!file.startsWith(folder + path.sep)) return null;
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() ? { name, path: file, size: stat.size, modified: stat.mtime } : null;
}

function decode(pathname: string): string | null {
  try {
    const name = decodeURIComponent(pathname);
    return name.includes("\0") ? null : name;
  } catch {
    return null;
  }
}

function serveFile(request: Request, file: File, more: Record<string, string>): Response {
  const etag = `"${file.size.toString(36)}-${file.modified.getTime().toString(36)}"`;
  const headers = new Headers({
    "content-type": types[path.extname(file.path)] ?? "application/octet-stream",
    "cache-control": cacheControl(file.name),
    "accept-ranges": "bytes",
    "last-modified": file.modified.toUTCString(),
    "x-content-type-options": "nosniff",
    etag,
    ...more,
  });
  if (matches(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  const range =
    request.headers.get("if-range") === null || request.headers.get("if-range") === etag
      ? parseRange(request.headers.get("range"), file.size)
      : null;
  if (range === "unsatisfiable") return new Response(null, { status: 416, headers: { "content-range": `bytes */${file.size}` } });
  const packed = range === null ? packedFile(request.headers, file) : null;
  if (packed) {
    headers.set("content-encoding", packed.encoding);
    headers.set("content-length", String(packed.size));
    headers.set("etag", `W/${etag}`); // weak, because the encoding differs
    headers.set("vary", "Accept-Encoding");
    headers.delete("accept-ranges");
    const body = request.method === "HEAD" ? null : (smallFile(packed, etag) ?? bytesOf(packed.path, 0, packed.size));
    return new Response(body, { headers });
  }
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  headers.set("content-length", String(end - start + 1));
  if (range) headers.set("content-range", `bytes ${start}-${end}/${file.size}`);
  const body =
    request.method === "HEAD" ? null : (smallFile(file, etag)?.subarray(start, end + 1) ?? bytesOf(file.path, start, end - start + 1));
  return new Response(body, { status: range ? 206 : 200, headers });
}

/** The variant precompressed by `npm run compress`, if the client accepts it. */
function packedFile(headers: Headers, { path }: File): { encoding: string; path: string; size: number } | null {
  const accepted = headers.get("accept-encoding") ?? "";
  for (const { encoding, ending, name } of packings) {
    const size = name.test(accepted) ? fs.statSync(path + ending, { throwIfNoEntry: false })?.size : undefined;
    if (size !== undefined) return { encoding, path: path + ending, size };
  }
  return null;
}

/** In order of preference; `q=0` refuses one. */
const packings = [
  { encoding: "br", ending: ".br", name: /\bbr\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))/ },
  { encoding: "gzip", ending: ".gz", name: /\bgzip\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))/ },
];

const matches = (header: string | null, etag: string): boolean =>
  (header ?? "").split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === etag || candidate.trim() === "*");

const small = 262_144;
const keptBytes = 16_777_216;
const cache = new RecentlyUsed<Uint8Array<ArrayBuffer>>(keptBytes, ({ byteLength }) => byteLength);

function smallFile({ path, size }: Pick<File, "path" | "size">, etag: string): Uint8Array<ArrayBuffer> | undefined {
  if (size > small) return undefined;
  const key = `${path} ${etag}`;
  const cached = cache.get(key);
  if (cached) return cached;
  const bytes = Deno.readFileSync(path);
  if (bytes.byteLength !== size) return undefined;
  cache.set(key, bytes);
  return bytes;
}

const pieceBytes = 65_536;

/** Closes the file at the end or on cancel. Not Node's `Readable.toWeb`, which ends the process when a client cancels. */
function bytesOf(path: string, start: number, length: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let [file, left]: [Deno.FsFile | null, number] = [null, length];
  const close = () => {
    file?.close();
    file = null;
  };
  return new ReadableStream(
    {
      pull: async (controller) => {
        try {
          if (file === null) {
            file = await Deno.open(path);
            if (start > 0) await file.seek(start, Deno.SeekMode.Start);
          }
          const piece = new Uint8Array(Math.min(left, pieceBytes));
          const read = left === 0 ? null : await file.read(piece);
          if (read !== null) controller.enqueue(piece.subarray(0, read));
          left -= read ?? left;
          if (left > 0) return;
          close();
          controller.close();
        } catch (error) {
          close();
          throw error;
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}
