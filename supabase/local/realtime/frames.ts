/** Supabase Realtime's wire format: Phoenix messages as object (version 1) or array (version 2, with binary broadcasts). */
export interface Frame {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  payload: unknown;
}

export type Version = "1.0.0" | "2.0.0";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const broadcastPush = 3;
const broadcastDelivery = 4;

/** Topic, references and event have one length byte each. */
const longestPart = 255;
export const fitsFrame = (part: string): boolean => part.length <= longestPart && encoder.encode(part).length <= longestPart;

export function decodeFrame(data: string | ArrayBuffer): Frame | null {
  const frame = typeof data === "string" ? decodeText(data) : decodeBroadcast(new Uint8Array(data));
  return frame && [frame.topic, frame.joinRef ?? "", frame.ref ?? ""].every(fitsFrame) ? frame : null;
}

function decodeText(text: string): Frame | null {
  const message = parseJson(text) as Record<string, unknown> | unknown[] | null;
  if (message === null || typeof message !== "object") return null;
  const [joinRef, ref, topic, event, payload] = Array.isArray(message)
    ? message
    : [message.join_ref, message.ref, message.topic, message.event, message.payload];
  if (typeof topic !== "string" || typeof event !== "string") return null;
  return { joinRef: stringOrNull(joinRef), ref: stringOrNull(ref), topic, event, payload: payload ?? {} };
}

/** Kind, five lengths, encoding (1 = JSON), then join ref, ref, topic, event, metadata and payload. */
function decodeBroadcast(bytes: Uint8Array): Frame | null {
  if (bytes[0] !== broadcastPush || bytes.length < 7) return null;
  const [, joinRefLength, refLength, topicLength, eventLength, metadataLength, encoding] = bytes as unknown as number[];
  let position = 7;
  const take = (length = 0) => decoder.decode(bytes.subarray(position, (position += length)));
  const joinRef = take(joinRefLength);
  const ref = take(refLength);
  const topic = take(topicLength);
  const event = take(eventLength);
  take(metadataLength);
  const body = bytes.slice(position);
  const payload = encoding === 1 ? parseJson(decoder.decode(body)) : body;
  return { joinRef: joinRef || null, ref: ref || null, topic, event: "broadcast", payload: { type: "broadcast", event, payload } };
}

export function encodeFrame(version: Version, { joinRef, ref, topic, event, payload }: Frame): string {
  return version === "2.0.0"
    ? JSON.stringify([joinRef, ref, topic, event, payload])
    : JSON.stringify({ topic, event, payload, ref, join_ref: joinRef });
}

/** A broadcast frame for version 2; throws if topic or event are too long. */
export function encodeBroadcast(topic: string, event: string, payload: unknown): ArrayBuffer {
  if (!fitsFrame(topic) || !fitsFrame(event)) throw new RangeError("a topic or an event of more than 255 bytes");
  const isBinary = payload instanceof Uint8Array;
  const [topicBytes, eventBytes] = [encoder.encode(topic), encoder.encode(event)];
  const body = isBinary ? payload : encoder.encode(JSON.stringify(payload ?? {}));
  const head = [broadcastDelivery, topicBytes.length, eventBytes.length, 0, isBinary ? 0 : 1];
  return new Uint8Array([...head, ...topicBytes, ...eventBytes, ...body]).buffer;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const stringOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);
