import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { forbiddenByGrant, outcome } from "./support/refusal.ts";
import { everybody, type Person, type World, test } from "./support/world.ts";

const longAgo = "2026-01-01T00:00Z";
const long = new Date(longAgo);

const newHash = () => `${randomUUID()}${randomUUID()}`.replaceAll("-", "");
const newToken = () => randomBytes(32).toString("base64url");
const newKey = async ({ as, acme }: World, person: Person, name: string) =>
  (
    await as(person, (me) => me`select id from public.create_api_key(${acme}, ${name}, '{posts:read}', ${newHash()}, 'tdk_abcd', 'wxyz')`)
  )[0]!.id as string;
const newAssistant = async ({ tx, acme, people }: World, person: Person, name: string) =>
  (
    await tx`insert into public.api_keys (workspace_id, name, scopes, hash, start, last4, created_by, created_by_name, expires_at, client_id, secret_until, refresh_hash)
      values (${acme}, ${name}, '{posts:read}', ${Buffer.from(newHash(), "hex")}, 'tdk_abcd', 'wxyz', ${people[person]}, 'Somebody', now() + interval '30 days',
        'https://assistant.example/client', now() + interval '1 hour', ${Buffer.from(newHash(), "hex")}) returning id`
  )[0]!.id as string;
const newInvite = async ({ as, acme }: World, person: Person, email: string) =>
  (await as(person, (me) => me`select id from public.create_invite(${acme}, 'viewer', ${email})`))[0]!.id as string;
const newLink = async ({ as, post }: World, person: Person, title: string) => {
  const { id } = await post({ title });
  return (await as(person, (me) => me`select id from public.create_preview_link(${id}, ${newToken()}, 7, false)`))[0]!.id as string;
};
async function oneOfEach(world: World, person: Person, word = "new") {
  return {
    api_key: await newKey(world, person, `${word} key`),
    assistant: await newAssistant(world, person, `${word} assistant`),
    invitation: await newInvite(world, person, `${word}-${person}@example.com`),
    preview_link: await newLink(world, person, `${word} post`),
  };
}
const list = async (world: World, person: Person, since: Date | string = longAgo) =>
  (await world.as(person, (me) => me`select kind, id, name, workspace_name from public.list_account_access(${since})`)).map(
    ({ kind, id }) => [kind as string, id as string],
  );
const end = async (world: World, person: Person, since: Date | string = longAgo) =>
  (await world.as(person, (me) => me`select public.end_account_access(${since}) as ended`))[0]!.ended as number;
const byKind = (of: Record<string, string>) => Object.entries(of).toSorted();

describe("a person's account access", () => {
  test("lists all four kinds, only the caller's own", async ({ world }) => {
    const mine = await oneOfEach(world, "admin");
    const owners = await oneOfEach(world, "owner", "other");
    expect((await list(world, "admin")).toSorted()).toEqual(byKind(mine));
    expect(await end(world, "admin")).toBe(4);
    expect(await list(world, "admin")).toEqual([]);
    expect((await list(world, "owner")).toSorted()).toEqual(byKind(owners));
    for (const person of everybody.filter((one) => one !== "owner" && one !== "admin")) expect(await list(world, person)).toEqual([]);
    const kinds = await world.tx`select kind from private.audit_log where actor_id = ${world.people.admin}
        and kind in ('key_revoked', 'assistant_ended', 'invitation_revoked', 'preview_link_revoked') order by kind`;
    expect(kinds.map(({ kind }) => kind as string)).toEqual([
      "assistant_ended",
      "invitation_revoked",
      "key_revoked",
      "preview_link_revoked",
    ]);
  });

  test("lists what was created since the given time, rotated keys and renewed invitations included", async ({ world }) => {
    const { tx, as, acme } = world;
    const old = await oneOfEach(world, "admin", "old");
    await tx`update public.api_keys set created_at = ${long}`;
    await tx`update public.invites set created_at = ${long}`;
    await tx`update private.post_previews set created_at = now() - interval '3 hours'`;
    const since = new Date(Date.now() - 3_600_000);
    expect(await list(world, "admin", since)).toEqual([]);
    expect(await end(world, "admin", since)).toBe(0);
    await as("admin", (me) => me`select public.rotate_api_key(${acme}, ${old.api_key}, ${newHash()}, 'tdk_abcd', 'wxyz')`);
    await newInvite(world, "admin", "old-admin@example.com");
    const { preview_link } = { preview_link: await newLink(world, "admin", "new post") };
    expect((await list(world, "admin", since)).toSorted()).toEqual(
      byKind({ api_key: old.api_key, invitation: old.invitation, preview_link }),
    );
    expect(await end(world, "admin", since)).toBe(3);
    expect((await list(world, "admin")).toSorted()).toEqual(byKind({ assistant: old.assistant, preview_link: old.preview_link }));
  });

  test("excludes what has ended, and what is outside a membership", async ({ world }) => {
    const { tx, people, acme } = world;
    const mine = await oneOfEach(world, "admin");
    await tx`update public.api_keys set revoked_at = now() where id = ${mine.api_key}`;
    await tx`update public.api_keys set expires_at = now() where id = ${mine.assistant}`;
    await tx`update public.invites set accepted_at = now() where id = ${mine.invitation}`;
    expect(await list(world, "admin")).toEqual([["preview_link", mine.preview_link]]);
    await tx`alter table public.members disable trigger user`;
    await tx`delete from public.members where user_id = ${people.admin} and workspace_id = ${acme}`;
    await tx`alter table public.members enable trigger user`;
    expect(await list(world, "admin")).toEqual([]);
    expect(await end(world, "admin")).toBe(0);
  });

  test("includes a connection that an assistant hasn't fetched yet", async ({ world }) => {
    const { tx, people, acme } = world;
    for (const person of ["admin", "owner"] as const)
      await tx`insert into private.assistant_codes (hash, workspace_id, person_id, client_id, name, redirect_uri, challenge, scopes) values
          (${Buffer.from(newHash(), "hex")}, ${acme}, ${people[person]}, 'https://a.example/c', 'A', 'https://a.example/back', ${"x".repeat(43)}, '{posts:read}')`;
    await end(world, "admin");
    expect([...(await tx`select person_id from private.assistant_codes`)]).toEqual([{ person_id: people.owner }]);
  });

  test("is empty for visitors, keys and ended sessions", async ({ world }) => {
    const mine = await oneOfEach(world, "admin");
    const calls = ["list_account_access", "end_account_access"];
    for (const call of calls) {
      expect(await outcome(world.as("anon", (me) => me`select public.${me(call)}(${longAgo})`))).toBe(forbiddenByGrant);
    }
    await world.tx`delete from auth.sessions where user_id = ${world.people.admin}`;
    for (const call of calls)
      expect(await outcome(world.as("admin", (me) => me`select public.${me(call)}(${longAgo})`))).toBe("unauthenticated");
    const { tx, acme, people } = world;
    const claims = JSON.stringify({
      sub: people.admin,
      role: "authenticated",
      key_id: mine.api_key,
      key_workspace: acme,
      key_scopes: ["posts:read"],
    });
    for (const call of calls) {
      const asKey = tx.savepoint(async (me) => {
        await me`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', ${claims}, true)`;
        await me`select public.${me(call)}(${longAgo})`;
      });
      expect(await outcome(asKey)).toBe("forbidden");
    }
  });
});
