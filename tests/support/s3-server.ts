import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";

interface S3rverLike {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
}
type S3rverClass = new (options: object) => S3rverLike;

export interface S3Server {
  /** Where it listens. */
  endpoint: string;
  keyId: string;
  secret: string;
  stop(): Promise<void>;
}

/** A server that speaks S3, checks every signature, and keeps what it gets in a folder that goes with it. */
export async function startS3Server(buckets: readonly string[]): Promise<S3Server> {
  const S3rver = createRequire(import.meta.url)("s3rver") as S3rverClass;
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-s3-"));
  const server = new S3rver({
    ...{ address: "127.0.0.1", port: 0, silent: true, directory, vhostBuckets: false },
    configureBuckets: buckets.map((name) => ({ name, configs: [] })),
  });
  const { port } = await server.run();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    keyId: "S3RVER",
    secret: "S3RVER",
    stop: async () => {
      await server.close();
      fs.rmSync(directory, { recursive: true, force: true });
    },
  };
}

export interface HostileServer {
  endpoint: string;
  requests: string[];
  stop(): Promise<void>;
}

/** A server that answers as it is told, whatever it is asked. */
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
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
