import { createClient } from "@supabase/supabase-js";
import postgres from "postgres";
import { afterAll, describe, expect, inject, test } from "vitest";

const { url, dbUrl, ownerUrl, publishableKey, secretKey } = inject("stack");
const quiet = { max: 1, onnotice: () => {}, connection: { TimeZone: "UTC" } };
const admin = postgres(dbUrl, quiet);
const owner = postgres(ownerUrl, quiet);
afterAll(() => Promise.all([admin.end(), owner.end()]));

const sqlState = (statement: PromiseLike<unknown>): Promise<string> =>
  Promise.resolve(statement).then(
    () => "allowed",
    (error: { code: string }) => error.code,
  );

async function undone(sql: postgres.Sql, work: (tx: postgres.TransactionSql) => Promise<unknown>): Promise<unknown> {
  let result: unknown;
  const undo = new Error("undo");
  await sql
    .begin(async (tx) => {
      result = await work(tx);
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  return result;
}

describe("migrations run with the privileges they have on hosted:", () => {
  test("postgres isn't a superuser, but can create databases and roles and bypasses row-level security", async () => {
    const [role] =
      await owner`select rolname, rolsuper, rolcreatedb, rolcreaterole, rolbypassrls from pg_roles where rolname = current_user`;
    expect(role).toEqual({ rolname: "postgres", rolsuper: false, rolcreatedb: true, rolcreaterole: true, rolbypassrls: true });
  });

  test("postgres doesn't own the services' schemas", async () => {
    const rows = await owner<
      { nspname: string; owner: string }[]
    >`select nspname, nspowner::regrole::text as owner from pg_namespace where nspname in ('auth', 'storage', 'realtime', 'public')`;
    const owners = Object.fromEntries(rows.map((row) => [row.nspname, row.owner]));
    expect(owners.public).toBe("pg_database_owner");
    for (const schema of ["auth", "storage", "realtime"]) expect(owners[schema]).not.toBe("postgres");
  });

  test("postgres owns the database", async () => {
    const [row] = await owner`select datdba::regrole::text as owner from pg_database where datname = current_database()`;
    expect(row!.owner).toBe("postgres");
  });

  test.each(["storage.objects", "realtime.messages"])(
    "postgres creates policies on %s in migrations, and is a member of no service role",
    async (table) => {
      const policies = await owner`select policyname from pg_policies where format('%I.%I', schemaname, tablename) = ${table}`;
      expect(policies.length).toBeGreaterThan(0);
      const late = undone(owner, (tx) =>
        tx.unsafe(`create policy "a policy of a test" on ${table} for select to authenticated using (true)`),
      );
      await expect(late).rejects.toMatchObject({ code: "42501" });
      const members = await owner`select roleid::regrole::text as role from pg_auth_members where member = 'postgres'::regrole order by 1`;
      expect(members.map(({ role }) => role as string)).toEqual(["anon", "authenticated", "service_role"]);
    },
  );

  test("row-level security closes the auth service's tables", async () => {
    const open = await admin`select tablename from pg_tables where schemaname = 'auth' and not rowsecurity`;
    expect([...open]).toEqual([]);
  });

  test.each(["storage.objects", "storage.buckets"])("only Storage deletes rows of %s, not even postgres", async (table) => {
    await expect(undone(owner, (tx) => tx.unsafe(`delete from ${table} where false`))).rejects.toMatchObject({ code: "42501" });
    await undone(owner, async (tx) => {
      await tx`set local storage.allow_delete_query = 'true'`;
      await tx.unsafe(`delete from ${table} where false`);
    });
  });

  test("Realtime's messages use a partitioned table", async () => {
    const [row] = await admin`select relkind from pg_class where oid = 'realtime.messages'::regclass`;
    expect(row!.relkind).toBe("p");
  });

  test("a sequence numbers refresh tokens, and postgres can insert one", async () => {
    const add = `insert into auth.refresh_tokens (token, user_id) values ('of a test', gen_random_uuid()) returning id, pg_typeof(id)::text as type`;
    const rows = (await undone(owner, (tx) => tx.unsafe(add))) as { id: string; type: string }[];
    expect(rows.map(({ id, type }) => [/^\d+$/.test(id), type])).toEqual([[true, "bigint"]]);
  });

  test("postgres can add a trigger to auth.users and reference it", async () => {
    await undone(owner, async (tx) => {
      await tx`create function public.of_a_test() returns trigger language plpgsql as $$ begin return new; end $$`;
      await tx`create trigger of_a_test after insert on auth.users for each row execute function public.of_a_test()`;
      await tx`create table public.of_a_test (user_id uuid references auth.users)`;
    });
  });

  test.each(["pg_trgm", "citext", "unaccent", "btree_gin"])("the extension %s is available", async (name) => {
    await undone(owner, (tx) => tx.unsafe(`create extension if not exists ${name} with schema extensions`));
  });

  test("every migration is in the history that `supabase db push` reads", async () => {
    const rows = await owner`select version, name from supabase_migrations.schema_migrations where array_length(statements, 1) = 1`;
    expect(rows.length).toBeGreaterThan(0);
  });
});

describe("anon has only the privileges granted:", () => {
  const anon = createClient(url, publishableKey, { auth: { persistSession: false } });

  test("a table without a grant is refused, also after many requests", async () => {
    for (let request = 0; request < 3; request++) {
      const { error } = await anon.from("profiles").select("user_id").limit(1);
      expect(error?.code).toBe("42501");
    }
    const [row] = await admin`select has_table_privilege('anon', 'public.profiles', 'select') as may`;
    expect(row?.may).toBe(false);
  });

  test("schemas other than public are hidden", async () => {
    for (const schema of ["private", "auth", "storage", "realtime"]) {
      const { error } = await anon
        .schema(schema as "public")
        .from("anything")
        .select("*");
      expect(error, schema).not.toBeNull();
    }
  });
});

describe("the caller's identity in SQL:", () => {
  const id = "6c9dfd1c-6bde-4cf8-9c39-1ce4a4b9a1b7";
  const claims = JSON.stringify({ sub: id, role: "authenticated", email: "ann@example.com", extra: 1 });

  test.each([
    ["as PostgREST sets them", "request.jwt.claims", claims],
    ["as older versions set them", "request.jwt.claim.sub", id],
  ])("auth.uid() reads claims %s", async (_, setting, value) => {
    await undone(admin, async (tx) => {
      await tx`select set_config(${setting}, ${value}, true), set_config('role', 'authenticated', true)`;
      const [row] = await tx`select auth.uid() as id`;
      expect(row?.id).toBe(id);
    });
  });

  test("auth.role(), auth.email() and auth.jwt() read the claims too", async () => {
    await undone(admin, async (tx) => {
      await tx`select set_config('request.jwt.claims', ${claims}, true), set_config('role', 'authenticated', true)`;
      const [row] = await tx`select auth.role() as role, auth.email() as email, auth.jwt() ->> 'extra' as extra`;
      expect(row).toEqual({ role: "authenticated", email: "ann@example.com", extra: "1" });
    });
  });

  test("identity is null without a session", async () => {
    const [row] = await admin`select auth.uid() as id`;
    expect(row?.id).toBeNull();
  });
});

test("REST formats times as PostgREST does: ISO 8601 with a zone", async () => {
  const service = createClient(url, secretKey, { auth: { persistSession: false } });
  await admin`insert into auth.users (id, email, raw_user_meta_data) values (gen_random_uuid(), ${`${crypto.randomUUID()}@example.com`}, '{"full_name": "Ann"}')`;
  const { data, error } = await service.from("profiles").select("created_at").limit(1).single();
  expect(error).toBeNull();
  expect(data?.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/);
});

test("a REST statement times out after eight seconds, as on hosted; migrations and jobs have no timeout", async () => {
  const service = createClient(url, secretKey, { auth: { persistSession: false } });
  const user_id = crypto.randomUUID();
  await admin`insert into auth.users (id, email, raw_user_meta_data) values (${user_id}, ${`${user_id}@example.com`}, '{"full_name": "Ann"}')`;
  await undone(owner, async (tx) => {
    await tx`select from public.profiles where user_id = ${user_id} for update`;
    const began = performance.now();
    const { error } = await service.from("profiles").update({ full_name: "Anna" }).eq("user_id", user_id);
    expect(error?.code).toBe("57014");
    expect(performance.now() - began).toBeGreaterThan(7_500);
  });
  for (const sql of [admin, owner]) expect([...(await sql`select current_setting('statement_timeout') as time`)]).toEqual([{ time: "0" }]);
});

test("a REST request without a key is refused", async () => expect((await fetch(`${url}/rest/v1/posts`)).status).toBe(401));

test("a secret key is refused from browsers", async () => {
  const headers = { apikey: secretKey, "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36" };
  expect((await fetch(`${url}/rest/v1/posts`, { headers })).status).toBe(401);
});

test("the SQL port requires the password", async () => {
  const stranger = postgres(dbUrl.replace(/:[^:@/]+@/, ":postgres@"), { ...quiet, max: 1 });
  expect(await sqlState(stranger`select 1`)).toBe("28P01");
  await stranger.end();
});
