import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { connect } from "./support/database.ts";
import { forbiddenByGrant, outcome } from "./support/refusal.ts";
import { everybody, type Person, type World, test, testEach } from "./support/world.ts";

const sql = connect();
const isMember = (person: Person) => person !== "rival" && person !== "stranger";

async function mayListen(world: World, person: Person | "anon", topic: string): Promise<boolean> {
  const id = randomUUID();
  await world.tx`insert into realtime.messages (id, topic, extension) values (${id}, ${topic}, 'presence')`;
  await world.tx`select set_config('realtime.topic', ${topic}, true)`;
  return (await world.as(person, (me) => me`select id from realtime.messages where id = ${id}`)).length === 1;
}
async function maySpeak(world: World, person: Person | "anon", topic: string): Promise<boolean> {
  await world.tx`select set_config('realtime.topic', ${topic}, true)`;
  const said = await outcome(world.as(person, (me) => me`insert into realtime.messages (topic, extension) values (${topic}, 'presence')`));
  expect(["allowed", forbiddenByGrant]).toContain(said);
  return said === "allowed";
}

describe("a Realtime topic's policies", () => {
  testEach(everybody)(
    "let %s listen to acme and join its posts' presence only as a member, and never send as the database",
    async (world, person) => {
      const presence = `presence:${world.acme}:${(await world.post()).id}`;
      const topic = `workspace:${world.acme}`;
      const member = isMember(person);
      expect([await mayListen(world, person, topic), await maySpeak(world, person, topic)]).toEqual([member, false]);
      expect([await mayListen(world, person, presence), await maySpeak(world, person, presence)]).toEqual([member, member]);
    },
  );

  test("refuse anon, posts of another workspace, and unknown topics", async ({ world }) => {
    const [mine, theirs] = [await world.post(), await world.post({ workspace_id: world.globex })];
    expect(await mayListen(world, "anon", `workspace:${world.acme}`)).toBe(false);
    for (const topic of [
      `presence:${world.acme}:${theirs.id}`,
      `presence:${world.globex}:${mine.id}`,
      `presence:${world.acme}:new`,
      `presence:${world.acme}`,
      "presence:x:y",
      "",
      "other",
      `workspace:${"-".repeat(36)}`,
      `workspace:${world.acme}:x`,
    ]) {
      expect([topic, await mayListen(world, "owner", topic), await maySpeak(world, "owner", topic)]).toEqual([topic, false, false]);
    }
  });

  test("refuse everyone without a session, also for broadcasts by REST", async () => {
    const policies = sql`select policyname from pg_policies
      where schemaname = 'realtime' and tablename = 'messages' and roles && array['anon', 'public']::name[]`;
    expect([...(await policies)]).toEqual([]);
  });

  test("refuse a removed member immediately", async ({ world }) => {
    const topic = `workspace:${world.acme}`;
    expect(await mayListen(world, "viewer", topic)).toBe(true);
    await world.as("viewer", (me) => me`delete from public.members where user_id = ${world.people.viewer}`);
    expect(await mayListen(world, "viewer", topic)).toBe(false);
  });
});

describe("the workspace's private topic", () => {
  const said = async ({ tx, acme }: World) => {
    const rows =
      await tx`select event, payload - 'id' as payload, private from realtime.messages where topic = ${`workspace:${acme}`} and extension = 'broadcast' order by inserted_at, payload ->> 'version'`;
    await tx`delete from realtime.messages`;
    return [...rows] as unknown as { event: string; payload: Record<string, any>; private: boolean }[];
  };

  test("announces every change of a post once, without its content", async ({ world }) => {
    const post = await world.post();
    const change = (version: number, autosaved = false) => ({
      event: "post-upserted",
      private: true,
      payload: { workspace_id: world.acme, post_id: post.id, version, autosaved },
    });
    expect(await said(world)).toEqual([change(1)]);
    await world.as("editor", (me) => me`select public.save_post(${post.id}, '{"title": "Other"}', autosaved => true)`);
    expect(await said(world)).toEqual([change(2, true)]);
    await world.as("editor", (me) => me`select public.save_post(${post.id}, '{"status": "archived"}')`);
    expect(await said(world)).toEqual([change(3)]);
  });

  test("announces nothing for a refused save or one without changes", async ({ world }) => {
    const post = await world.post();
    await said(world);
    await world.as("editor", (me) => me`select public.save_post(${post.id}, '{"title": "Dark mode"}')`);
    await outcome(world.as("editor", (me) => me`select public.save_post(${post.id}, '{"title": ""}')`));
    expect(await said(world)).toEqual([]);
  });

  test("announces a purge, and a removed member", async ({ world }) => {
    const post = await world.post();
    await said(world);
    await world.as("editor", (me) => me`select public.purge_post(${post.id})`);
    expect(await said(world)).toMatchObject([{ event: "post-removed", payload: { workspace_id: world.acme, post_id: post.id } }]);
    await world.as("owner", (me) => me`delete from public.members where user_id = ${world.people.viewer}`);
    expect(await said(world)).toMatchObject([
      { event: "member-left", payload: { workspace_id: world.acme, user_id: world.people.viewer } },
    ]);
  });

  test("never fails a save when Realtime fails", async ({ world }) => {
    await world.tx`create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void language plpgsql as $$ begin raise exception 'down'; end $$`;
    expect(await outcome(world.post())).toBe("allowed");
    await world.tx`drop function realtime.send(jsonb, text, text, boolean)`;
    expect(await outcome(world.post())).toBe("allowed");
  });
});
