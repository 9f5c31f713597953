import path from "node:path";
import type { Backend } from "../backend.ts";
import { answersQueries } from "../engine/database.ts";
import { migrate, refuseOtherVersions } from "../engine/migrate.ts";
import type { Part } from "../engine/parts.ts";
import { connect } from "../engine/postgres.ts";
import { acceptClient, accepted } from "../gateway/websocket.ts";
import { refuseSignUp } from "../service/sign-up.ts";
import { databaseGauges } from "../service/database-gauges.ts";
import { projectRoot } from "../settings.ts";
import { StartError } from "../start-error.ts";
import type { ProjectSettings } from "./project-settings.ts";

const migrations = path.join(projectRoot, "supabase/migrations");
const timeoutMs = 60_000;
const connectTimeoutMs = 10_000;
/** Deno has decompressed the body. */
const ofOneConnection = ["connection", "keep-alive", "transfer-encoding", "content-encoding", "content-length"];

/** Runs migrations on an external Supabase project and forwards service requests to it. */
export function projectBackend({ url, databaseUrl, keys }: ProjectSettings): Backend {
  const sql = connect(databaseUrl, 4);
  const address = (request: Request): string => {
    const { pathname, search } = new URL(request.url);
    return url + pathname + search;
  };
  const database: Part = {
    name: "database",
    async start() {
      const owner = connect(databaseUrl, 1);
      try {
        await prepare(owner);
        await refuseOtherVersions(owner, migrations);
        await migrate(owner, migrations);
      } catch (error) {
        throw error instanceof StartError ? error : new StartError(`The database of SUPABASE_DB_URL can't be used: ${String(error)}`);
      } finally {
        await owner.end({ timeout: 1 });
      }
    },
    stop: () => sql.end({ timeout: 1 }),
    health: (databaseAnswers) => ({ database: databaseAnswers }),
    gauges: () => databaseGauges(sql),
  };

  const ask = async (request: Request, body: Uint8Array | null): Promise<Response | null> => {
    try {
      const answer = await fetch(address(request), {
        method: request.method,
        headers: request.headers,
        body: body as BodyInit | null,
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
      });
      const headers = new Headers(answer.headers);
      for (const name of ofOneConnection) headers.delete(name);
      const isWithoutBody = request.method === "HEAD" || [204, 205, 304].includes(answer.status);
      return new Response(isWithoutBody ? null : answer.body, { status: answer.status, headers });
    } catch (error) {
      console.error("project:", error);
      return null;
    }
  };

  return {
    parts: [database],
    ...{ keys, sql, adminUrl: databaseUrl, ownerUrl: databaseUrl, postgres: null },
    databaseAnswers: () => answersQueries(sql),
    fetch: async (request) => (await refuseSignUp(request, sql)) ?? (await ask(request, request.body && (await request.bytes()))),
    async realtime(request, _clientAddress, body) {
      if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") return await ask(request, body);
      const behind = new WebSocket(address(request).replace(/^http/, "ws"));
      const timer = setTimeout(() => behind.close(), connectTimeoutMs);
      const isOpen = await accepted(behind);
      clearTimeout(timer);
      return isOpen ? acceptClient(request, behind) : null;
    },
  };
}

/** The CLI's migrations table, normally created by the first push. */
async function prepare(owner: ReturnType<typeof connect>): Promise<void> {
  await owner.unsafe(`
    create schema if not exists supabase_migrations;
    create table if not exists supabase_migrations.schema_migrations (version text primary key, statements text[], name text);
  `);
}
