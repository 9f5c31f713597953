import { describe, expect, test } from "vitest";
import { asHosted, isOwn, keepsPlan, roleOf } from "./statements.ts";

describe("what lite may ask as the superuser", () => {
  test.each([
    `select * from "auth"."users" where "id" = $1`,
    `select * from "storage"."objects" where ("bucket_id" = $1 and "name" like $2) order by "name" asc limit $3 offset $4`,
    `insert into "auth"."sessions" ("id", "user_id") values ($1, $2)`,
    `update "storage"."objects" set "last_accessed_at" = $1 where "id" = $2`,
    `select count("id") as "n", "bucket_id" from "storage"."objects" group by "bucket_id"`,
    `delete from "auth"."refresh_tokens" where "session_id" = $1`,
    "SAVEPOINT __supalite_outer_tx_check",
    "RELEASE SAVEPOINT __supalite_outer_tx_check",
    `\n  DECLARE storage_bucket_delete NO SCROLL CURSOR FOR\n  SELECT id FROM storage.buckets WHERE id = $1 FOR UPDATE`,
    `\n  SELECT views.schemaname AS "schema"\n  FROM pg_views views`,
    `SELECT tbls.table_name AS "name" FROM information_schema.tables tbls LEFT JOIN pg_stat_user_tables s ON true`,
    `SELECT substring(pg_get_constraintdef(c.oid) FROM 'CHECK') AS "expression" FROM pg_constraint c`,
    `SELECT name FROM pg_catalog.pg_timezone_names`,
    `SELECT current_database() AS "name"`,
  ])("includes %s", (query) => expect(isOwn(query)).toBe(true));

  test.each([
    `select "id" from "public"."posts" limit $1`,
    `select "id" from "posts" where "title" = $1`,
    `select * from public.read_post(post_id := $1::uuid) as "read_post" limit $2`,
    `select "id" from "public"."posts" union select "id" from "auth"."users"`,
    `select "id", (select "name" from "auth"."users") from "public"."posts"`,
    `with x as (select * from "public"."posts") select * from "auth"."users"`,
    `insert into "public"."posts" ("title") values ($1)`,
    `update "public"."profiles" set "full_name" = $1`,
    `delete from "public"."tags" where "label" = $1 returning *`,
    `select 1 from pg_class join "public"."posts" on true`,
    `select count(*) as "__count" from "public"."posts"`,
    `create table x ()`,
    `set role postgres`,
  ])("excludes %s", (query) => expect(isOwn(query)).toBe(false));
});

test("roleOf recognizes only the API's roles, in each of lite's forms", () => {
  expect(roleOf("SELECT set_config('role', $1, true)", ["anon"])).toBe("anon");
  expect(roleOf("select set_config('role', 'service_role', true)", [])).toBe("service_role");
  expect(roleOf('SET LOCAL ROLE "authenticated"', [])).toBe("authenticated");
  expect(roleOf("SELECT set_config('role', $1, true)", ["supabase_admin"])).toBeNull();
  expect(roleOf("select set_config('request.jwt.claim.sub', $1, true)", ["anon"])).toBeNull();
  expect(roleOf("select set_config('role', $1, false)", ["anon"])).toBeNull();
});

test("plans are cached for calls and claims, not for lists with filters", () => {
  expect(keepsPlan(`select * from public.read_post(post_id := $1::uuid) as "read_post" limit $2`)).toBe(true);
  expect(keepsPlan(`select * from "auth"."users" where "id" = $1`)).toBe(true);
  expect(keepsPlan(`select * from "auth"."users" where "email" = $1`)).toBe(false);
});

test("asHosted drops lite's id of a refresh token and nothing else", () => {
  expect(asHosted(`insert into "auth"."refresh_tokens" ("id", "token", "user_id") values ($1, $2, $3)`, ["0-1", "abc", "me"])).toEqual({
    query: `insert into "auth"."refresh_tokens" ("token", "user_id") values ($1, $2)`,
    parameters: ["abc", "me"],
  });
  const session = { query: `insert into "auth"."sessions" ("id", "user_id") values ($1, $2)`, parameters: ["0-1", "me"] };
  expect(asHosted(session.query, session.parameters)).toEqual(session);
});
