import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import { describe, expect, test } from "vitest";
import { connect } from "./support/database.ts";
import { forbiddenByGrant, outcome } from "./support/refusal.ts";
import { everybody, inWorld, type Person, type World } from "./support/world.ts";

const sql = connect();

/** Two sessions of everybody, as the auth service writes them; by name. */
async function signIn({ tx, people }: World): Promise<Record<string, string>> {
  const sessions: Record<string, string> = {};
  for (const person of everybody) {
    for (const place of ["desk", "phone"]) {
      sessions[`${person} ${place}`] = randomUUID();
      await tx`insert into auth.sessions (id, user_id, user_agent, created_at, refreshed_at)
        values (${sessions[`${person} ${place}`]!}, ${people[person]}, ${place}, '2026-01-01T10:00Z', ${place === "desk" ? "2026-01-02T10:00" : null})`;
    }
  }
  return sessions;
}

/** As this person, in one of the sessions. */
const from = <Answer>({ tx, people }: World, person: Person, session: string, work: (sql: TransactionSql) => Promise<Answer>) =>
  tx.savepoint(async (me) => {
    const claims = JSON.stringify({ sub: people[person], role: "authenticated", session_id: session });
    await me`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', ${claims}, true)`;
    const answer = await work(me);
    await me`select set_config('role', 'none', true), set_config('request.jwt.claims', '', true)`;
    return answer;
  }) as Promise<Answer>;

const left = async ({ tx, people }: World, person: Person) =>
  (await tx`select user_agent from auth.sessions where user_id = ${people[person]} order by 1`).map((row) => row.user_agent as string);

describe("a person's sessions", () => {
  test.each(everybody)("%s sees exactly his own: the one that asks first", (person) =>
    inWorld(sql, async (world) => {
      const sessions = await signIn(world);
      const phone = sessions[`${person} phone`]!;
      const rows = await from(world, person, phone, (me) => me`select * from public.my_sessions()`);
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
    })(),
  );

  test(
    "leave out what has run out",
    inWorld(sql, async (world) => {
      const sessions = await signIn(world);
      await world.tx`update auth.sessions set not_after = now() - interval '1 second' where id = ${sessions["viewer desk"]!}`;
      const rows = await world.as("viewer", (me) => me`select user_agent, current from public.my_sessions()`);
      expect([...rows]).toEqual([{ user_agent: "phone", current: false }]); // a token without a session is none of them
    }),
  );

  test(
    "end one by one, only by their own person, and once",
    inWorld(sql, async (world) => {
      const sessions = await signIn(world);
      const end = async (person: Person, session: string) =>
        (await world.as(person, (me) => me`select public.end_session(${session}) as ended`))[0]!.ended as boolean;
      for (const person of everybody.filter((one) => one !== "viewer")) {
        expect(await end(person, sessions["viewer desk"]!), person).toBe(false);
      }
      expect(await left(world, "viewer")).toEqual(["desk", "phone"]);
      expect(await end("viewer", sessions["viewer desk"]!)).toBe(true);
      expect(await end("viewer", sessions["viewer desk"]!)).toBe(false);
      expect(await left(world, "viewer")).toEqual(["phone"]);
    }),
  );

  test(
    "end all at once but for the one that asks",
    inWorld(sql, async (world) => {
      const sessions = await signIn(world);
      await from(world, "viewer", sessions["viewer phone"]!, (me) => me`select public.end_other_sessions()`);
      expect(await left(world, "viewer")).toEqual(["phone"]);
      expect(await left(world, "owner")).toEqual(["desk", "phone"]);
    }),
  );

  test(
    "take their refresh tokens with them",
    inWorld(sql, async (world) => {
      const session = (await signIn(world))["viewer desk"]!;
      await world.tx`insert into auth.refresh_tokens (id, token, user_id, session_id) values (${randomUUID()}, ${randomUUID()}, ${world.people.viewer}, ${session})`;
      await world.as("viewer", (me) => me`select public.end_session(${session})`);
      expect([...(await world.tx`select 1 from auth.refresh_tokens where session_id = ${session}`)]).toEqual([]);
    }),
  );

  test(
    "are nothing to a visitor",
    inWorld(sql, async (world) => {
      const session = (await signIn(world))["viewer desk"]!;
      expect(await outcome(world.as("anon", (me) => me`select * from public.my_sessions()`))).toBe(forbiddenByGrant);
      expect(await outcome(world.as("anon", (me) => me`select public.end_session(${session})`))).toBe(forbiddenByGrant);
      expect(await outcome(world.as("anon", (me) => me`select public.end_other_sessions()`))).toBe(forbiddenByGrant);
    }),
  );
});
