import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import { describe, expect } from "vitest";
import { forbiddenByGrant, outcome } from "./support/refusal.ts";
import { everybody, type Person, words, type World, test, testEach } from "./support/world.ts";

async function signIn({ tx, people }: World): Promise<Record<string, string>> {
  const sessions: Record<string, string> = {};
  await tx`delete from auth.sessions where user_id = any (${Object.values(people)})`;
  for (const person of everybody) {
    for (const place of ["desk", "phone"]) {
      sessions[`${person} ${place}`] = randomUUID();
      await tx`insert into auth.sessions (id, user_id, user_agent, created_at, refreshed_at)
        values (${sessions[`${person} ${place}`]!}, ${people[person]}, ${place}, '2026-01-01T10:00Z', ${place === "desk" ? "2026-01-02T10:00" : null})`;
    }
  }
  return sessions;
}

const asSession = <Answer>({ tx, people }: World, person: Person, session: string | null, work: (sql: TransactionSql) => Promise<Answer>) =>
  tx.savepoint(async (me) => {
    const claims = JSON.stringify({ sub: people[person], role: "authenticated", session_id: session ?? undefined });
    await me`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', ${claims}, true)`;
    const answer = await work(me);
    await me`select set_config('role', 'none', true), set_config('request.jwt.claims', '', true)`;
    return answer;
  }) as Promise<Answer>;

const newPost = async (me: TransactionSql, workspace: string): Promise<string> => {
  const [post] = await me`select id from public.create_post(${workspace}, 'New', ${words("Words.") as never})`;
  return post!.id as string;
};

const left = async ({ tx, people }: World, person: Person) =>
  (await tx`select user_agent from auth.sessions where user_id = ${people[person]} order by 1`).map((row) => row.user_agent as string);

describe("a person's sessions", () => {
  testEach(everybody)("show %s exactly their own, the current one first", async (world, person) => {
    const sessions = await signIn(world);
    const phone = sessions[`${person} phone`]!;
    const rows = await asSession(world, person, phone, (me) => me`select * from public.my_sessions()`);
    expect([...rows]).toEqual([
      {
        id: phone,
        user_agent: "phone",
        created_at: new Date("2026-01-01T10:00Z"),
        last_used_at: new Date("2026-01-01T10:00Z"),
        current: true,
      },
      {
        id: sessions[`${person} desk`],
        user_agent: "desk",
        created_at: new Date("2026-01-01T10:00Z"),
        last_used_at: new Date("2026-01-02T10:00Z"),
        current: false,
      },
    ]);
  });

  testEach(["banned_until = now() + interval '1 day'", "deleted_at = now()"])(
    "end when the account is disabled: %s",
    async (world, change) => {
      await signIn(world);
      await world.tx.unsafe(`update auth.users set ${change} where id = '${world.people.owner}'`);
      expect([await left(world, "owner"), await left(world, "admin")]).toEqual([[], ["desk", "phone"]]);
    },
  );

  test("end after 30 days without use, and 180 days after the sign-in", async ({ world }) => {
    await signIn(world);
    const last = async (place: string, created: string, used: string | null) =>
      await world.tx`update auth.sessions set created_at = now() - ${created}::interval, refreshed_at = (now() at time zone 'utc') - ${used}::interval
        where user_agent = ${place}`;
    for (const [created, used, stays] of [
      ["179 days", "29 days", true],
      ["29 days", null, true],
      ["179 days", "31 days", false],
      ["181 days", "1 hour", false],
    ] as const) {
      await last("desk", created, used);
      await world.tx`select private.tidy_up()`;
      expect([created, used, await left(world, "owner")]).toEqual([created, used, stays ? ["desk"] : []]);
      if (!stays) await signIn(world);
    }
  });

  test("exclude expired ones", async ({ world }) => {
    const sessions = await signIn(world);
    await world.tx`update auth.sessions set not_after = now() - interval '1 second' where id = ${sessions["viewer desk"]!}`;
    const rows = await asSession(
      world,
      "viewer",
      sessions["viewer phone"]!,
      (me) => me`select user_agent, current from public.my_sessions()`,
    );
    expect([...rows]).toEqual([{ user_agent: "phone", current: true }]);
  });

  test("end one by one, only by their own person, and once", async ({ world }) => {
    const sessions = await signIn(world);
    const end = async (person: Person, session: string) =>
      (await asSession(world, person, sessions[`${person} phone`]!, (me) => me`select public.end_session(${session}) as ended`))[0]!
        .ended as boolean;
    for (const person of everybody.filter((one) => one !== "viewer")) {
      expect(await end(person, sessions["viewer desk"]!), person).toBe(false);
    }
    expect(await left(world, "viewer")).toEqual(["desk", "phone"]);
    expect(await end("viewer", sessions["viewer desk"]!)).toBe(true);
    expect(await end("viewer", sessions["viewer desk"]!)).toBe(false);
    expect(await left(world, "viewer")).toEqual(["phone"]);
  });

  test("end all at once except the current one", async ({ world }) => {
    const sessions = await signIn(world);
    await asSession(world, "viewer", sessions["viewer phone"]!, (me) => me`select public.end_other_sessions()`);
    expect(await left(world, "viewer")).toEqual(["phone"]);
    expect(await left(world, "owner")).toEqual(["desk", "phone"]);
  });

  testEach(["has ended", "has run out", "was never there", "is another person's", "is not named"])(
    "give no rights when theirs %s",
    async (world, what) => {
      const sessions = await signIn(world);
      const mine = sessions["owner desk"]!;
      const post = await asSession(world, "owner", mine, (me) => newPost(me, world.acme));
      if (what === "has ended") await world.tx`delete from auth.sessions where id = ${mine}`;
      if (what === "has run out") await world.tx`update auth.sessions set not_after = now() where id = ${mine}`;
      const shown = { "was never there": randomUUID(), "is another person's": sessions["admin desk"]!, "is not named": null }[what];
      const attempts: Record<string, (me: TransactionSql) => Promise<unknown>> = {
        "read a post": (me) => me`select public.read_post(${post})`,
        "read posts": (me) => me`select id from public.posts`,
        "read one's own profile": (me) => me`select full_name from public.profiles`,
        "list one's workspaces": (me) => me`select * from public.my_workspaces()`,
        "list one's sessions": (me) => me`select * from public.my_sessions()`,
        "save a post": (me) => me`select public.save_post(${post}, '{"title": "Mine again"}')`,
        "repeat a request": (me) => me`select private.claim_request('key', 'asked')`,
        "make a workspace": (me) =>
          me`select public.create_workspace('New', ${`new-${randomUUID().slice(0, 8)}`}, 'https://example.com', 'Founder')`,
        "make an administrator's invitation": (me) => me`select public.create_invite(${world.acme}, 'admin')`,
        "accept an invitation": (me) => me`select public.accept_invite('x')`,
        "export the workspace": (me) => me`select public.export_rows(${world.acme}, 'posts')`,
        "delete the workspace": (me) => me`select public.delete_workspace(${world.acme}, 'Acme')`,
        "end the session of another device": (me) => me`select public.end_session(${sessions["owner phone"]!})`,
      };
      for (const [attempt, statement] of Object.entries(attempts)) {
        expect([attempt, await outcome(asSession(world, "owner", shown === undefined ? mine : shown, statement))]).toEqual([
          attempt,
          "unauthenticated",
        ]);
      }
    },
  );

  test("are checked by Storage and Realtime, which get only yes or no", async ({ world }) => {
    const { "owner desk": mine } = await signIn(world);
    const mayJoin = async () =>
      (await asSession(world, "owner", mine!, (me) => me`select private.may_join(${`workspace:${world.acme}`}, false) as may`))[0]!
        .may as boolean;
    const add = (me: TransactionSql) =>
      me`insert into storage.objects (bucket_id, name) values ('logos', ${`${world.acme}/${randomUUID()}.png`})`;
    expect(await mayJoin()).toBe(true);
    expect(await outcome(asSession(world, "owner", mine!, add))).toBe("allowed");
    await world.tx`delete from auth.sessions where id = ${mine!}`;
    expect(await mayJoin()).toBe(false);
    expect(await outcome(asSession(world, "owner", mine!, add))).toBe(forbiddenByGrant);
    expect([...(await asSession(world, "owner", mine!, (me) => me`select name from storage.objects`))]).toEqual([]);
  });

  test("are announced to the person's workspaces when they end", async ({ world }) => {
    const { "mixed desk": session } = await signIn(world);
    await world.tx`delete from realtime.messages`;
    await world.tx`delete from auth.sessions where id = ${session!}`;
    const said = await world.tx`select topic, event, payload - 'id' as payload, private from realtime.messages order by topic`;
    const told = [world.acme, world.globex].sort().map((workspace) => ({
      topic: `workspace:${workspace}`,
      event: "session-ended",
      payload: { workspace_id: workspace, user_id: world.people.mixed },
      private: true,
    }));
    expect([...said]).toEqual(told);
  });
});
