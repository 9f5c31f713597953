import { randomUUID } from "node:crypto";
import postgres, { type TransactionSql } from "postgres";
import { inject, test as plainTest } from "vitest";
import type { Role } from "#contract/kinds.ts";
import { asPerson } from "./as-person.ts";
import { rolledBack } from "./database.ts";

export type Person = Role | "mixed" | "rival" | "stranger";
export const everybody: readonly Person[] = ["owner", "admin", "editor", "viewer", "mixed", "rival", "stranger"];

export interface World {
  tx: TransactionSql;
  people: Record<Person, string>;
  acme: string;
  globex: string;
  as<T>(person: Person | "anon", work: (sql: TransactionSql) => Promise<T>): Promise<T>;
  post(columns?: Partial<NewPost>): Promise<PostRow>;
}

export interface NewPost {
  workspace_id: string;
  title: string;
  content_raw: unknown;
  tags: string[];
  status: string;
  publish_at: Date | string | null;
}

export interface PostRow extends postgres.Row {
  id: string;
  slug: string;
  status: string;
  version: number;
}

export const words = (text: string): { blocks: unknown[] } => ({ blocks: [{ type: "paragraph", data: { text } }] });
export const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000);

export async function pastMidnight(): Promise<void> {
  const left = 86_400_000 - (Date.now() % 86_400_000);
  if (left < 120_000) await new Promise((resolve) => setTimeout(resolve, left + 1_000));
}

/** Shared by the process' files, so idle connections are closed by a timeout. */
const pool = postgres(inject("stack").dbUrl, { max: 1, idle_timeout: 2, onnotice: () => {}, connection: { TimeZone: "UTC" } });

/** For tests with common steps: `test(name, () => inWorld(…))`. */
export const inWorld = (play: (world: World) => Promise<void>): Promise<void> => rolledBack(pool, async (tx) => play(await makeWorld(tx)));

export const test = plainTest.extend<{ world: World }>({
  world: ({ task: _ }, use) => inWorld(use),
});

interface TestEach {
  <T extends unknown[] | [unknown]>(cases: readonly T[]): Cases<T>;
  <T extends readonly unknown[]>(cases: readonly T[]): Cases<T>;
  <T>(cases: readonly T[]): Cases<[T]>;
}
type Cases<T extends readonly unknown[]> = (name: string, play: (world: World, ...parts: T) => Promise<void>) => void;

export const testEach: TestEach = (cases: readonly unknown[]) => (name: string, play: (world: World, ...parts: never[]) => Promise<void>) =>
  plainTest.each(cases)(name, (...parts) => inWorld((world) => play(world, ...(parts as never[]))));

export async function makeWorld(tx: TransactionSql): Promise<World> {
  const people = Object.fromEntries(await Promise.all(everybody.map(async (name) => [name, await newPerson(tx, name)]))) as World["people"];
  const acme = await newWorkspace(tx, people.owner, "Acme");
  const globex = await newWorkspace(tx, people.rival, "Globex");
  await tx`insert into public.members (workspace_id, user_id, role) values
    (${acme}, ${people.admin}, 'admin'), (${acme}, ${people.editor}, 'editor'), (${acme}, ${people.viewer}, 'viewer'),
    (${acme}, ${people.mixed}, 'editor'), (${globex}, ${people.mixed}, 'viewer')`;
  return {
    tx,
    people,
    acme,
    globex,
    as: (person, work) => asPerson(tx, person === "anon" ? null : people[person], work),
    post: (columns = {}) => newPost(tx, columns.workspace_id === globex ? people.rival : people.owner, { workspace_id: acme, ...columns }),
  };
}

export async function newPerson(tx: TransactionSql | postgres.Sql, fullName: string, id: string = randomUUID()): Promise<string> {
  await tx`insert into auth.users (id, email, aud, role, raw_user_meta_data, email_confirmed_at)
    values (${id}, ${`${fullName}-${id}@example.com`}, 'authenticated', 'authenticated', ${{ full_name: fullName } as never}, now())`;
  await tx`insert into auth.sessions (id, user_id) values (${id}, ${id})`;
  return id;
}

export async function newWorkspace(tx: TransactionSql, owner: string, name: string): Promise<string> {
  const subdomain = `${name.toLowerCase()}-${randomUUID().slice(0, 8)}`;
  const [row] = await asPerson(
    tx,
    owner,
    (sql) => sql`select id from public.create_workspace(${name}, ${subdomain}, 'https://example.com', 'Founder')`,
  );
  return row!.id as string;
}

async function newPost(tx: TransactionSql, author: string, columns: Partial<NewPost>): Promise<PostRow> {
  const row = { title: "Dark mode", content_raw: words("It is dark."), tags: [], status: "draft", publish_at: null, ...columns };
  const [post] = await asPerson(tx, author, (sql) => sql<PostRow[]>`insert into public.posts ${sql(row as never)} returning *`);
  return post!;
}
