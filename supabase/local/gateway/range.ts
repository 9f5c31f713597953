export interface ByteRange {
  start: number;
  end: number;
}

/** Parses a Range header with one range; null: respond in full; "unsatisfiable": 416. */
export function parseRange(header: string | null, size: number): ByteRange | null | "unsatisfiable" {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return null;
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== "" && to !== "" && Number(to) < start) return null;
  return start >= size || (from === "" && Number(to) === 0) ? "unsatisfiable" : { start, end };
}

/** Applies a Range to a full response, for Storage, which doesn't support them. */
export async function applyRange(request: Request, answer: Response): Promise<Response> {
  if (answer.status !== 200 || request.method !== "GET") return answer;
  const headers = new Headers(answer.headers);
  headers.set("accept-ranges", "bytes");
  const rangeHeader = request.headers.get("range");
  if (!rangeHeader || !ifRangeHolds(request, answer)) return new Response(answer.body, { status: 200, headers });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const range = parseRange(rangeHeader, bytes.length);
  if (range === null) return new Response(bytes, { status: 200, headers });
  headers.delete("content-length");
  if (range === "unsatisfiable") return new Response(null, { status: 416, headers: { "content-range": `bytes */${bytes.length}` } });
  headers.set("content-range", `bytes ${range.start}-${range.end}/${bytes.length}`);
  return new Response(bytes.subarray(range.start, range.end + 1), { status: 206, headers });
}

const ifRangeHolds = (request: Request, answer: Response): boolean => {
  const condition = request.headers.get("if-range");
  return condition === null || condition === answer.headers.get("etag");
};
