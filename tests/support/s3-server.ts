import { createHash, createHmac, randomUUID } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";

export interface S3Server {
  endpoint: string;
  keyId: string;
  secret: string;
  stop(): Promise<void>;
}

interface S3Error {
  status: number;
  code: string;
}

const [keyId, secret] = ["TESTKEY", "test secret"];
const sha256 = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** An in-memory server for the part of S3 that backups use. Checks every signature (AWS Signature Version 4). */
export async function startS3Server(names: readonly string[]): Promise<S3Server> {
  const buckets = new Map(names.map((name) => [name, new Map<string, Buffer>()]));
  const uploads = new Map<string, Map<number, Buffer>>();
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const body = Buffer.concat(pieces);
      const url = new URL(request.url!, "http://localhost");
      const failure = signatureFailure(request, url, body) ?? answer(request, response, url, body);
      if (failure) response.writeHead(failure.status).end(`<Error><Code>${failure.code}</Code></Error>`);
    });
  });

  function answer(request: http.IncomingMessage, response: http.ServerResponse, url: URL, body: Buffer): S3Error | null {
    const [, name = "", path = ""] = /^\/([^/]*)\/?(.*)$/.exec(url.pathname)!;
    const key = decodeURIComponent(path);
    const bucket = buckets.get(name);
    if (!bucket) return { status: 404, code: "NoSuchBucket" };
    const query = url.searchParams;
    const upload = query.get("uploadId") ?? "";
    switch (`${request.method} ${["list-type", "uploads", "partNumber", "uploadId"].find((one) => query.has(one)) ?? ""}`) {
      case "GET list-type": {
        const keys = [...bucket.keys()].filter((one) => one.startsWith(query.get("prefix") ?? "")).toSorted();
        const contents = keys.map((one) => `<Contents><Key>${one}</Key><Size>${bucket.get(one)!.length}</Size></Contents>`);
        response.end(`<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join("")}</ListBucketResult>`);
        return null;
      }
      case "GET ": {
        const object = bucket.get(key);
        if (!object) return { status: 404, code: "NoSuchKey" };
        const [, start = "0", end = ""] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
        const part = object.subarray(Number(start), end === "" ? undefined : Number(end) + 1);
        response.writeHead(206, { "content-range": `bytes ${start}-${Number(start) + part.length - 1}/${object.length}` }).end(part);
        return null;
      }
      case "PUT ":
        bucket.set(key, body);
        break;
      case "DELETE ":
        bucket.delete(key);
        break;
      case "POST uploads": {
        const id = randomUUID();
        uploads.set(id, new Map());
        response.end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
        return null;
      }
      case "PUT partNumber":
        uploads.get(upload)!.set(Number(query.get("partNumber")), body);
        response.setHeader("etag", `"${sha256(body)}"`);
        break;
      case "POST uploadId": {
        const parts = [...uploads.get(upload)!].toSorted(([one], [other]) => one - other);
        if (parts.slice(0, -1).some(([, part]) => part.length < 5 * 1024 * 1024)) return { status: 400, code: "EntityTooSmall" };
        bucket.set(key, Buffer.concat(parts.map(([, part]) => part)));
        uploads.delete(upload);
        response.end("<CompleteMultipartUploadResult></CompleteMultipartUploadResult>");
        return null;
      }
      case "DELETE uploadId":
        uploads.delete(upload);
        break;
      default:
        return { status: 501, code: "NotImplemented" };
    }
    response.end();
    return null;
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keyId, secret, stop: () => closed(server) };
}

function signatureFailure({ method, headers }: http.IncomingMessage, url: URL, body: Buffer): S3Error | null {
  const pattern = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w{64})$/;
  const [, key, day, region, names, signature] = pattern.exec(headers.authorization ?? "") ?? [];
  if (key === undefined) return { status: 403, code: "AccessDenied" };
  if (key !== keyId) return { status: 403, code: "InvalidAccessKeyId" };
  const date = String(headers["x-amz-date"]);
  const bodyHash = String(headers["x-amz-content-sha256"]);
  if (bodyHash !== sha256(body)) return { status: 400, code: "XAmzContentSHA256Mismatch" };
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).toSorted();
  const signed = names!.split(";").map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, url.pathname, query.join("&"), signed.join(""), names, bodyHash].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", date, `${day}/${region}/s3/aws4_request`, sha256(canonical)].join("\n");
  const signingKey = [day!, region!, "s3", "aws4_request"].reduce<Buffer | string>(hmac, `AWS4${secret}`);
  return hmac(signingKey, toSign).toString("hex") === signature ? null : { status: 403, code: "SignatureDoesNotMatch" };
}

async function closed(server: http.Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

export interface HostileServer {
  endpoint: string;
  requests: string[];
  stop(): Promise<void>;
}

export async function startHostileServer(
  answer: (request: http.IncomingMessage, response: http.ServerResponse, body: Buffer) => void,
): Promise<HostileServer> {
  const requests: string[] = [];
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      requests.push(`${request.method} ${request.url}`);
      answer(request, response, Buffer.concat(pieces));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: () => closed(server),
  };
}
