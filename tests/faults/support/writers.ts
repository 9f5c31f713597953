import { randomUUID } from "node:crypto";
import postgres from "postgres";
import type { StackFile } from "../../support/stack.ts";
import { signToken } from "../../support/token.ts";

export interface Call {
  status: number;
  code: string | null;
  ms: number;
  at: number;
}

export interface Writers {
  acknowledged: string[];
  calls: Call[];
  stop(): Promise<void>;
}

const json = { "content-type": "application/json" };

export function startWriters(stack: StackFile, place: Place, count: number): Writers {
  const writers: Writers = { acknowledged: [], calls: [], stop: async () => {} };
  let writing = true;
  const all = Array.from({ length: count }, async () => {
    while (writing) {
      const call = await createPost(stack, place, writers.acknowledged);
      writers.calls.push(call);
      if (call.status !== 201) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  writers.stop = async () => {
    writing = false;
    await Promise.all(all);
  };
  return writers;
}

async function createPost(stack: StackFile, { token, workspaceId }: Place, acknowledged: string[]): Promise<Call> {
  const began = performance.now();
  const done = (status: number, code: string | null): Call => ({ status, code, ms: performance.now() - began, at: performance.now() });
  try {
    const blocks = [{ type: "paragraph", data: { text: "Written while something was killed." } }];
    const answer = await fetch(`${stack.url}/api/posts`, {
      method: "POST",
      headers: { ...json, authorization: `Bearer ${token}` },
      body: JSON.stringify({ title: `Post ${randomUUID()}`, workspace_id: workspaceId, blocks }),
    });
    const body = (await answer.json().catch(() => ({}))) as { post?: { id: string }; code?: string };
    if (answer.status === 201 && body.post) acknowledged.push(body.post.id);
    return done(answer.status, body.code ?? null);
  } catch {
    return done(0, null);
  }
}

export interface Place {
  token: string;
  workspaceId: string;
}

export async function makePlace(stack: StackFile): Promise<Place> {
  const id = randomUUID();
  const email = `${id}@example.com`;
  const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
  await sql`insert into auth.users (id, aud, role, email, email_confirmed_at, raw_user_meta_data) values (${id}, 'authenticated', 'authenticated', ${email}, now(), '{"full_name": "Ann"}')`;
  await sql`insert into auth.sessions (id, user_id) values (${id}, ${id})`;
  await sql.end();
  const token = signToken(stack, { sub: id, email });
  const answer = await fetch(`${stack.url}/api/workspaces/create`, {
    method: "POST",
    headers: { ...json, authorization: `Bearer ${token}` },
    body: JSON.stringify({ name: "Faults", subdomain: `f${id.slice(0, 8)}`, origin: "https://faults.example", jobTitle: "Tester" }),
  });
  if (answer.status !== 201) throw new Error(`no workspace: ${answer.status} ${await answer.text()}`);
  return { token, workspaceId: ((await answer.json()) as { workspace: { id: string } }).workspace.id };
}

/** The acknowledged writes that were lost. Retries while Postgres recovers, as the test may run before it notices the kill. */
export async function lost(stack: StackFile, ids: string[], patienceMs = 15_000): Promise<string[]> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
    try {
      const rows = await sql<{ id: string }[]>`select id from public.posts where id = any (${ids})`;
      const found = new Set(rows.map(({ id }) => id));
      return ids.filter((id) => !found.has(id));
    } catch (error) {
      if (!isStarting(error) || performance.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      await sql.end();
    }
  }
}

const isStarting = (error: unknown) => (error as { code?: string }).code === "57P03";
