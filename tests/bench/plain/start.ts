import { spawn } from "node:child_process";
import path from "node:path";
import postgres from "postgres";
import { functionFlags } from "../../../supabase/local/engine/function-flags.ts";
import { familyOf } from "../../faults/support/processes.ts";
import { freePort, type StackFile } from "../../support/stack.ts";

export interface PlainProgram {
  port: number;
  url: string;
  pids: number[];
  stop(): void;
}

const root = path.resolve(import.meta.dirname, "../../..");

export async function startPlain({ dbUrl }: StackFile, postIds: string[] = []): Promise<PlainProgram> {
  const sql = postgres(dbUrl, { max: 1, onnotice: () => {} });
  await sql`create schema plain`;
  await sql`create table plain.posts (id uuid primary key, content_raw jsonb not null, version int not null, updated_at timestamptz not null)`;
  await sql`insert into plain.posts select id::uuid, '{}', 1, now() from unnest(${postIds}::text[]) as id`;
  await sql.end();
  const port = await freePort();
  const child = spawn(
    path.join(root, "node_modules/.bin/deno"),
    [
      ...["serve", ...functionFlags, "--config", "edge-functions/deno.json"],
      ...["--host", "127.0.0.1", "--port", String(port), path.join(import.meta.dirname, "program.ts")],
    ],
    { cwd: root, env: { ...process.env, DATABASE_URL: dbUrl }, stdio: ["ignore", "ignore", "inherit"] },
  );
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}/bytes/200/1`);
  return { port, url, pids: familyOf(child.pid!), stop: () => void child.kill() };
}

async function answering(address: string): Promise<void> {
  for (const end = Date.now() + 20_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50)))
    if ((await fetch(address).catch(() => null))?.ok) return;
  throw new Error("the plain program does not answer");
}
