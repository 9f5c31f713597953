import { once } from "node:events";
import { connect, type Socket } from "node:net";
import path from "node:path";
// @ts-types="./types.d.ts"
import { App } from "@supabase/lite";
// @ts-types="./types.d.ts"
import { createPostgresConnection } from "@supabase/lite/postgres";
import type { Options, PostgresType, Sql } from "postgres";
import { fileIn } from "#contract/rules/multipart.ts";
import { authOf, type ProjectConfig } from "../../config.ts";
import type { Keys } from "../../keys.ts";
import { type Connection, LiteConnections } from "./connections.ts";
import { answerAsPostgrest } from "./errors.ts";
import { forgetViewTexts } from "./introspection.ts";
import type { PostgresConnection } from "./types.d.ts";
import { valueTypes } from "./values.ts";
import type { MailBox } from "../mail.ts";
import { patient } from "../postgres.ts";
import type { SupabaseServices } from "../supabase-services.ts";
import { closeAuthGaps } from "./auth-gaps.ts";
import { PasswordHashing } from "./password-hashing.ts";
import { leaveTokensToRest } from "./rest-tokens.ts";
import { noteBrowsers } from "./session-browsers.ts";
import { invalidKey, readBody } from "./storage-bodies.ts";
import { DiskStorage } from "./storage-disk.ts";

export interface LiteOptions {
  config: ProjectConfig;
  keys: Keys;
  dbUrl: string;
  sql: Sql;
  dataDir: string;
  siteUrl: string;
  mail: MailBox;
}

/** Statement timeout of hosted's API roles. */
const statementTimeoutMs = 8_000;

/** Starts @supabase/lite on our Postgres and closes its gaps to hosted. */
export async function startLite({ config, keys, dbUrl, sql, dataDir, siteUrl, mail }: LiteOptions): Promise<SupabaseServices> {
  const connections = new LiteConnections(10, (onClose) => openLimited(dbUrl, onClose));
  const connection = openConnection(dbUrl, { max: 1 });
  connection.driver.reserve = () => connections.reserve();
  connection.rlsState = "active"; // otherwise its first request grants all tables to anon and authenticated
  answerAsPostgrest(connection);
  forgetViewTexts(connection);

  const app = new App({
    connection,
    db: { driver: "postgres", url: dbUrl },
    api: config.api,
    auth: {
      ...authOf(config),
      jwt_secret: keys.jwtSecret,
      publishable_key: keys.publishableKey,
      secret_key: keys.secretKey,
      site_url: siteUrl,
      additional_redirect_urls: [`${siteUrl}/**`],
    },
    storage: { enabled: true, file_size_limit: config.storage.file_size_limit },
    options: { drivers: { email: mail }, server: { middlewares: [leaveTokensToRest] } },
  });
  app._storageAdapter = new DiskStorage(path.join(dataDir, "storage"));
  await app.ensureSystemSchema();
  connections.holdToRoles();
  const lite: SupabaseServices = {
    fetch: async (request, peerAddress) => {
      const read = await readBody(request);
      if (read === null) return invalidKey();
      return await app.fetch(await withoutForm(read), { peerAddress });
    },
    lostConnections: () => connections.lost,
  };
  const passwords = new PasswordHashing();
  passwords.replaceBcrypt();
  return noteBrowsers(closeAuthGaps(lite, { config, siteUrl, mail, sql, passwords }), sql);
}

/** Result limit per request: parsing more would block the event loop. */
const resultMaxBytes = 8_388_608;

function openLimited(url: string, onclose: () => void): Connection {
  let left = resultMaxBytes;
  const socket = async ({ host, port }: { host: string[]; port: number[] }) => {
    const made = connect(port[0]!, host[0]!);
    await once(made, "connect");
    return made.on("data", ({ length }) => (left -= length) < 0 && made.destroy());
  };
  const { driver } = openConnection(url, { max: 1, onclose, socket });
  return { client: driver as unknown as Sql, begin: () => void (left = resultMaxBytes) };
}

/** postgres.js accepts a socket, but its types don't. */
type ConnectionOptions = Options<Record<string, PostgresType>> & { socket?: (to: { host: string[]; port: number[] }) => Promise<Socket> };

function openConnection(url: string, options: ConnectionOptions): PostgresConnection {
  // max_lifetime could close a connection mid-transaction
  const connection = {
    application_name: "lite",
    statement_timeout: statementTimeoutMs,
    "storage.allow_delete_query": "true", // lite acts as Storage (engine/bootstrap/3-after-lite.sql)
  };
  return createPostgresConnection({ url, postgresOptions: { ...patient, max_lifetime: null, types: valueTypes, connection, ...options } });
}

/** Multipart upload as a plain one: lite reads only the field "file", supabase-js uses "", and the form parser blocks for 100 ms. */
async function withoutForm(request: Request): Promise<Request> {
  const type = request.headers.get("content-type") ?? "";
  if (!new URL(request.url).pathname.startsWith("/storage/v1/object/") || !type.startsWith("multipart/")) return request;
  const body = await request.bytes();
  const file = fileIn(body, type, "") ?? fileIn(body, type, "file");
  const headers = new Headers(request.headers);
  headers.delete("content-length");
  headers.delete("content-type");
  if (file !== undefined) headers.set("content-type", file.type || "application/octet-stream");
  return new Request(request.url, { method: request.method, headers, body: file?.bytes ?? new FormData() });
}
