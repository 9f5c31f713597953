import { describe, expect, test } from "vitest";
import { connect } from "./support/database.ts";
import { forbiddenByGrant, outcome } from "./support/refusal.ts";
import { everybody, inDays, inWorld, type Person, words, type World, writers } from "./support/world.ts";

const sql = connect();
const members: readonly Person[] = ["owner", "admin", "editor", "viewer", "mixed"];
const isWriter = (person: Person) => writers.includes(person);

describe("reading posts", () => {
  test.each(everybody)("%s reads acme's posts only as a member", (person) =>
    inWorld(sql, async ({ as, acme, post }) => {
      await post();
      expect(await as(person, (me) => me`select id from public.posts where workspace_id = ${acme}`)).toHaveLength(
        members.includes(person) ? 1 : 0,
      );
    })(),
  );

  test(
    "a member of two workspaces reads both, a member of one only his",
    inWorld(sql, async ({ as, globex, post }) => {
      await post();
      await post({ workspace_id: globex });
      const seen = async (person: Person) => (await as(person, (me) => me`select id from public.posts`)).length;
      expect([await seen("mixed"), await seen("owner"), await seen("rival"), await seen("stranger")]).toEqual([2, 1, 1, 0]);
    }),
  );

  test.each(["posts", "post_revisions", "post_slugs", "activities"])("a visitor without a session is not let near %s", (table) =>
    inWorld(sql, async ({ as }) =>
      expect(await outcome(as("anon", (me) => me`select * from public.${me(table)}`))).toBe(forbiddenByGrant),
    )(),
  );

  test.each(["post_revisions", "post_slugs", "activities"])("%s are read by members only, and written by nobody", (table) =>
    inWorld(sql, async ({ as, post, acme }) => {
      await post();
      for (const person of everybody) {
        const rows = await as(person, (me) => me`select * from public.${me(table)} where workspace_id = ${acme}`);
        expect(rows.length > 0).toBe(members.includes(person));
        expect(await outcome(as(person, (me) => me`delete from public.${me(table)}`))).toBe(forbiddenByGrant);
        expect(await outcome(as(person, (me) => me`update public.${me(table)} set workspace_id = ${acme}`))).toBe(forbiddenByGrant);
        expect(await outcome(as(person, (me) => me`insert into public.${me(table)} (workspace_id) values (${acme})`))).toBe(
          forbiddenByGrant,
        );
      }
    })(),
  );
});

describe("writing posts in the table, as PostgREST does", () => {
  const insert = ({ as, acme }: World, person: Person, columns = {}) =>
    as(
      person,
      (me) =>
        me`insert into public.posts ${me({ workspace_id: acme, title: "New", content_raw: words("x"), ...columns } as never)} returning *`,
    );
  const update = ({ as }: World, person: Person, id: string, set: Record<string, unknown>) =>
    as(person, (me) => me`update public.posts set ${me(set as never)} where id = ${id} returning *`);

  test.each(everybody)("%s adds a post only as a writer", (person) =>
    inWorld(sql, async (world) => expect(await outcome(insert(world, person))).toBe(isWriter(person) ? "allowed" : forbiddenByGrant))(),
  );

  test.each(everybody)("%s changes a post only as a writer", (person) =>
    inWorld(sql, async (world) =>
      expect(await update(world, person, (await world.post()).id, { title: "Changed" })).toHaveLength(isWriter(person) ? 1 : 0),
    )(),
  );

  test.each(everybody)("%s purges a post only as a writer", (person) =>
    inWorld(sql, async ({ as, post }) => {
      const { id } = await post();
      expect(await as(person, (me) => me`delete from public.posts where id = ${id} returning id`)).toHaveLength(isWriter(person) ? 1 : 0);
    })(),
  );

  test(
    "who edits in one workspace and reads in another writes only in the one",
    inWorld(sql, async (world) => {
      const { id } = await world.post({ workspace_id: world.globex });
      expect(await outcome(insert(world, "mixed", { workspace_id: world.globex }))).toBe(forbiddenByGrant);
      expect(await update(world, "mixed", id, { title: "Changed" })).toHaveLength(0);
      expect(await outcome(insert(world, "mixed"))).toBe("allowed");
    }),
  );

  const notTheirs = {
    id: "00000000-0000-4000-8000-000000000000",
    workspace_id: null,
    version: 9,
    created_by: null,
    created_by_name: "x",
    author_name: "x",
    created_at: inDays(-9),
    updated_at: inDays(9),
    updated_by: null,
    updated_by_name: "x",
    archived_at: inDays(-9),
    search_text: "x",
    excerpt: "x",
  };
  test.each(Object.entries(notTheirs))("%s cannot be written by hand", (column, value) =>
    inWorld(sql, async (world) => {
      const { id } = await world.post();
      expect(await outcome(update(world, "owner", id, { [column]: value === null ? world.globex : value }))).toBe(forbiddenByGrant);
      if (column !== "workspace_id") expect(await outcome(insert(world, "owner", { [column]: value }))).toBe(forbiddenByGrant);
    })(),
  );

  test(
    "the slug is chosen for a new post",
    inWorld(sql, async (world) => {
      expect(await outcome(insert(world, "owner", { slug: "mine" }))).toBe(forbiddenByGrant);
    }),
  );
});

describe("through the functions", () => {
  const calls: [string, (world: World, person: Person | "anon", id: string) => PromiseLike<unknown>][] = [
    ["create_post", ({ as, acme }, person) => as(person, (me) => me`select public.create_post(${acme}, 'New', ${words("x") as never})`)],
    ["save_post", ({ as }, person, id) => as(person, (me) => me`select public.save_post(${id}, '{"title": "Changed"}')`)],
    ["archive_post", ({ as }, person, id) => as(person, (me) => me`select public.archive_post(${id})`)],
    ["restore_revision", ({ as }, person, id) => as(person, (me) => me`select public.restore_revision(${id}, 1)`)],
    ["purge_post", ({ as }, person, id) => as(person, (me) => me`select public.purge_post(${id})`)],
  ];
  for (const [name, call] of calls) {
    test.each(everybody)(`${name} by %s: writers are let, readers told so, strangers told nothing`, (person) =>
      inWorld(sql, async (world) => {
        const { id } = await world.post();
        const expected = isWriter(person) ? "allowed" : members.includes(person) ? "forbidden" : "not_found";
        expect(await outcome(call(world, person, id))).toBe(expected);
      })(),
    );
    test(
      `${name} needs a session`,
      inWorld(sql, async (world) => expect(await outcome(call(world, "anon", (await world.post()).id))).toBe(forbiddenByGrant)),
    );
  }

  test(
    "read_post shows a post to members, with its author",
    inWorld(sql, async ({ as, post, people }) => {
      const { id } = await post();
      const [seen] = await as("viewer", (me) => me`select * from public.read_post(${id})`);
      expect(seen).toMatchObject({
        title: "Dark mode",
        author: { user_id: people.owner, full_name: "owner", avatar_url: null },
        public_changelog_enabled: false,
      });
      expect(await outcome(as("rival", (me) => me`select public.read_post(${id})`))).toBe("not_found");
    }),
  );
});
