import { describe, expect } from "vitest";
import { test, type World } from "./support/world.ts";

async function lock(world: World, access: string): Promise<{ subdomain: string; key: string; post: string; slug: string }> {
  const { id, slug } = await world.post({ title: "Hidden", status: "published", tags: ["fix"] });
  await world.as("owner", (me) => me`select public.change_workspace(${world.acme}, '{"public_changelog_enabled": true}')`);
  await world.as("owner", (me) => me`select public.set_workspace_access(${world.acme}, ${access}, false, false, 'open sesame')`);
  const [row] = await world.tx`select subdomain::text, private.reader_key(id, id) as key from public.workspaces where id = ${world.acme}`;
  return { ...(row as unknown as { subdomain: string; key: string }), post: id, slug };
}

/** All that readers can ask for, by the functions that role anon can call. */
const reads = (reader: string, post: string, slug: string): [name: string, query: string, values: string[]][] => [
  ["list_releases", "select id from private.list_releases($1)", [reader]],
  ["list_releases", "select id from private.list_releases($1, tag => 'fix')", [reader]],
  ["get_release", "select id from private.get_release($1, $2)", [reader, slug]],
  ["release_contents", "select id from private.release_contents($1, array[$2]::uuid[])", [reader, post]],
  ["release_addresses", "select slug from private.release_addresses($1)", [reader]],
  ["search_releases", "select id from private.search_releases($1, 'hidden')", [reader]],
  ["release_months", "select month from private.release_months($1)", [reader]],
  ["release_tags", "select key from private.release_tags($1)", [reader]],
  ["find_workspace", "select id from private.find_workspace($1)", [reader]],
  ["public_version", "select v from private.public_version($1) as v where v <> 'locked'", [reader]],
];

describe("a private changelog", () => {
  test("can't be read without its key by any function", async ({ world }) => {
    const { subdomain, key, post, slug } = await lock(world, "password");
    const [{ foreign } = { foreign: "" }] = await world.tx`select private.reader_key(${world.globex}, ${world.globex}) as foreign`;
    const answers = async (reader: string) => {
      const counts: [string, number][] = [];
      for (const [name, query, values] of reads(reader, post, slug))
        counts.push([name, (await world.as("anon", (me) => me.unsafe(query, values))).length]);
      return counts;
    };
    const all = (count: number) => reads("", post, slug).map(([name]) => [name, count]);
    expect(await answers(`${subdomain}~${key}`)).toEqual(all(1));
    for (const wrong of ["", "~", `~${foreign}`, `~${key.slice(0, -1)}A`, "~' or true", `~${"A".repeat(48)}`])
      expect([wrong, await answers(subdomain + wrong)]).toEqual([wrong, all(0)]);
    await world.as("owner", (me) => me`select public.set_workspace_access(${world.acme}, 'password', false, true)`);
    expect(await answers(`${subdomain}~${key}`)).toEqual(all(0));
  });

  test("for members isn't read with the workspace's own key", async ({ world }) => {
    const { subdomain, key } = await lock(world, "members");
    const version = async (reader: string) => (await world.as("anon", (me) => me`select private.public_version(${reader}) as v`))[0]!.v;
    expect(await version(`${subdomain}~${key}`)).toBe("locked");
    const [{ mine } = { mine: "" }] = await world.as("viewer", (me) => me`select public.my_reader_key(${world.acme}) as mine`);
    expect(await version(`${subdomain}~${mine}`)).not.toBe("locked");
  });
});

describe("the password of a changelog", () => {
  test("is tried five times a minute and network; right ones don't count", async ({ world }) => {
    const { subdomain, key } = await lock(world, "password");
    const enter = async (typed: string, network: string) =>
      (await world.as("anon", (me) => me`select private.enter_by_password(${subdomain}, ${typed}, ${network}, 5, 60) as key`))[0]!.key;
    for (let tries = 0; tries < 4; tries++) expect(await enter("wrong", "192.0.2.1")).toBeNull();
    expect(await enter("open sesame", "192.0.2.1")).toBe(key);
    expect(await enter("wrong", "192.0.2.1")).toBeNull();
    expect(await enter("open sesame", "192.0.2.1")).toBe("later");
    expect(await enter("open sesame", "192.0.2.2")).toBe(key);
  });

  test("is stored as a hash, and opens no changelog without one", async ({ world }) => {
    await lock(world, "password");
    expect((await world.tx`select password_hash from private.reader_access`)[0]!.password_hash).toMatch(/^\$2a\$10\$/);
    const none = await world.as("anon", (me) => me`select private.enter_by_password('unknown', 'open sesame', 'n', 5, 60) as key`);
    expect(none[0]!.key).toBeNull();
  });
});
