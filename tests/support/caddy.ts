import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import https from "node:https";
import tls from "node:tls";
import { setTimeout as wait } from "node:timers/promises";
import { installPackages } from "./chromium.ts";

const root = path.resolve(import.meta.dirname, "../..");

const runs = (program: string): boolean => spawnSync(program, ["version"]).status === 0;

/** The path of Caddy. Installs Debian's package under CI; elsewhere throws an error with the command to run. */
export function ensureCaddy(): string {
  const named = process.env.CADDY_PATH ?? "caddy";
  if (!runs(named) && process.env.CI) installPackages("caddy");
  if (runs(named)) return named;
  throw new Error("The tests need Caddy: run `apt-get install caddy`, or set CADDY_PATH to one.");
}

export interface FrontDoor {
  port: number;
  httpPort: number;
  certificateOf(host: string): Promise<ShownCertificate>;
  request(host: string, pathAndQuery: string, options?: RequestOptions): Promise<Answer>;
  authority: string;
  certificates: string[];
  stop(): Promise<void>;
}

export interface ShownCertificate {
  id: string;
  names: string | undefined;
  until: Date;
}

export interface RequestOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  text: string;
}

export interface FrontDoorOptions {
  supabaseUrl: string;
  ports: { https: number; http: number; ask: number };
  files?: string;
  patience?: string;
  cdnRanges?: string;
  lifetime?: string;
  domain?: string;
  workspacesTls?: string;
}

export async function startFrontDoor(options: FrontDoorOptions): Promise<FrontDoor> {
  const { supabaseUrl, ports, files, patience, cdnRanges, lifetime, workspacesTls, domain = "localhost" } = options;
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "tidings-caddy-"));
  const issuer = lifetime ? `cert_issuer internal {\nlifetime ${lifetime}\n}` : "local_certs";
  const child = spawn(ensureCaddy(), ["run", "--config", "deploy/Caddyfile", "--adapter", "caddyfile"], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      PATH: process.env.PATH,
      HOME: home,
      XDG_DATA_HOME: home,
      XDG_CONFIG_HOME: home,
      DOMAIN: domain,
      SUPABASE_URL: supabaseUrl,
      ASK_PORT: String(ports.ask),
      CERTIFICATES: path.join(home, "caddy/certificates"),
      CADDY_OPTIONS: `admin off\n${issuer}\nskip_install_trust\nhttps_port ${ports.https}\nhttp_port ${ports.http}`,
      ...(files && { FILES: files }),
      ...(cdnRanges && { CDN_RANGES: cdnRanges }),
      ...(patience && { PATIENCE: patience }),
      ...(workspacesTls && { WORKSPACES_TLS: workspacesTls }),
    },
  });
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
    fs.rmSync(home, { recursive: true, force: true });
  };
  const authorityFolder = path.join(home, "caddy/pki/authorities/local");
  const authorityFile = path.join(authorityFolder, "root.crt");
  for (const end = Date.now() + 15_000; Date.now() < end; await wait(50)) {
    if (child.exitCode !== null) break;
    if (!fs.existsSync(authorityFile)) continue;
    const authority = fs.readFileSync(authorityFile, "utf8");
    const request = requester(ports.https, authority);
    const up = await request(domain, "/icon.svg").catch(() => null);
    const certificates = () => [authority, fs.readFileSync(path.join(authorityFolder, "intermediate.crt"), "utf8")];
    const certificateOf = (host: string) => shownCertificate(ports.https, authority, host);
    if (up) return { port: ports.https, httpPort: ports.http, authority, certificates: certificates(), request, certificateOf, stop };
  }
  await stop();
  throw new Error(`Caddy didn't start: ${output}`);
}

function shownCertificate(port: number, ca: string, servername: string): Promise<ShownCertificate> {
  return new Promise((resolve, reject) => {
    // the caller checks the name: clients don't accept *.localhost certificates
    const options = { host: "127.0.0.1", port, servername, ca, checkServerIdentity: () => undefined };
    const socket = tls.connect(options, () => {
      const { fingerprint256: id, subjectaltname: names, valid_to } = socket.getPeerCertificate();
      resolve({ id, names, until: new Date(valid_to) });
      socket.destroy();
    });
    socket.setTimeout(20_000, () => socket.destroy(new Error("no certificate within 20 s")));
    socket.on("error", reject);
  });
}

const requester =
  (port: number, ca: string): FrontDoor["request"] =>
  (host, pathAndQuery, { method = "GET", headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const call = https.request(
        { host: "127.0.0.1", port, servername: host, ca, method, path: pathAndQuery, headers: { host: `${host}:${port}`, ...headers } },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on("data", (chunk: Buffer) => chunks.push(chunk));
          answer.on("end", () => {
            const all = Buffer.concat(chunks);
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: all, text: all.toString("utf8") });
          });
          answer.on("error", reject);
        },
      );
      call.setTimeout(20_000, () => call.destroy(new Error("no answer within 20 s")));
      call.on("error", reject);
      call.end(body);
    });
