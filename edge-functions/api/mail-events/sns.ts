import { z } from "zod";
import { type Bytes, fromBase64 } from "../../_shared/base64.ts";
import { bytesUpTo } from "../../_shared/bytes-up-to.ts";

const envelope = z.object({
  Type: z.enum(["Notification", "SubscriptionConfirmation", "UnsubscribeConfirmation"]),
  MessageId: z.string().max(200),
  TopicArn: z.string(),
  Message: z.string(),
  Timestamp: z.string(),
  SignatureVersion: z.enum(["1", "2"]),
  Signature: z.string().max(2_000),
  SigningCertURL: z.string().max(500),
  Subject: z.string().nullish(),
  SubscribeURL: z.string().max(2_000).optional(),
  Token: z.string().optional(),
});
export type SnsMessage = z.output<typeof envelope>;

export const readSns = (envelopeBody: unknown): SnsMessage | null => envelope.safeParse(envelopeBody).data ?? null;

/** Certificates come only from SNS regions. Region names are strict: sns.s3-eu-west-1.amazonaws.com would be an S3 bucket. */
const snsHost = /^sns\.[a-z]{2}(?:-[a-z]+)+-\d{1,2}\.amazonaws\.com(?:\.cn)?$/;

export function snsAddress(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isPlain = url.protocol === "https:" && url.port === "" && url.username === "" && url.password === "";
  return isPlain && snsHost.test(url.hostname) ? url : null;
}

export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

const timeoutMs = 5_000;
const longestCertificate = 20_000;
const keptCertificates = 8;
const certificates = new Map<string, Bytes>();

/** Verifies the signature. Throws if the certificate can't be fetched, so SNS retries. */
export async function isSignedBySns(message: SnsMessage, get: Fetch = fetch): Promise<boolean> {
  const url = snsAddress(message.SigningCertURL);
  const signature = fromBase64(message.Signature);
  if (url === null || signature === null || !/^\/SimpleNotificationService-[\w-]+\.pem$/.test(url.pathname) || url.search !== "")
    return false;
  const spki = certificates.get(url.href) ?? publicKeyIn(await certificateAt(url, get));
  if (spki === null) return false;
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: message.SignatureVersion === "1" ? "SHA-1" : "SHA-256" };
  const key = await crypto.subtle.importKey("spki", spki, algorithm, false, ["verify"]).catch(() => null);
  if (key === null) return false;
  if (certificates.size >= keptCertificates) certificates.delete(certificates.keys().next().value!);
  certificates.set(url.href, spki);
  return await crypto.subtle.verify(algorithm.name, key, signature, new TextEncoder().encode(signedText(message)));
}

export async function confirmSubscription({ SubscribeURL }: SnsMessage, get: Fetch = fetch): Promise<boolean> {
  const url = snsAddress(SubscribeURL ?? "");
  if (url === null) return false;
  const response = await get(url, { redirect: "manual", signal: AbortSignal.timeout(timeoutMs) });
  await response.body?.cancel();
  return response.ok;
}

/** Canonical text: names and values on separate lines, in AWS' order. */
function signedText(message: SnsMessage): string {
  const names =
    message.Type === "Notification"
      ? (["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"] as const)
      : (["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"] as const);
  return names.map((name) => (typeof message[name] === "string" ? `${name}\n${message[name]}\n` : "")).join("");
}

async function certificateAt(url: URL, get: Fetch): Promise<string> {
  const response = await get(url, { redirect: "manual", signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`SNS' certificate was answered with ${response.status}`);
  }
  const body = await bytesUpTo(response.body, longestCertificate);
  if (body === null) throw new Error("SNS' certificate is too long");
  return new TextDecoder().decode(body);
}

interface Part {
  tag: number;
  start: number;
  from: number;
  to: number;
}

/**
 * SubjectPublicKeyInfo for WebCrypto. The certificate is trusted by its origin, so nothing else is parsed: Certificate { TBSCertificate {
 * [0] version, serial, algorithm, issuer, validity, subject, SubjectPublicKeyInfo … } … }.
 */
export function publicKeyIn(pem: string): Bytes | null {
  const der = fromBase64(/-----BEGIN CERTIFICATE-----([\s\S]+?)-----END CERTIFICATE-----/.exec(pem)?.[1] ?? "");
  if (der === null || der.length === 0) return null;
  const whole = partAt(der, 0);
  const inner = whole && partAt(der, whole.from);
  if (!inner) return null;
  let part = partAt(der, inner.from);
  const before = part?.tag === 0xa0 ? 6 : 5;
  for (let passed = 0; part && passed < before; passed += 1) part = part.to < inner.to ? partAt(der, part.to) : null;
  return part?.tag === 0x30 ? der.slice(part.start, part.to) : null;
}

function partAt(der: Uint8Array, start: number): Part | null {
  const [tag, first] = [der[start], der[start + 1]];
  if (tag === undefined || first === undefined) return null;
  const more = first & 0x80 ? first & 0x7f : 0;
  if (more > 3) return null;
  let length = more === 0 ? first : 0;
  for (let at = 0; at < more; at += 1) length = length * 256 + (der[start + 2 + at] ?? 0);
  const from = start + 2 + more;
  return from + length > der.length ? null : { tag, start, from, to: from + length };
}
