import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { countViews } from "../support/counts.ts";
import { withWorkspace } from "./support/committed.ts";
import { connect } from "./support/database.ts";
import { emailsToSend, settleEmails } from "./support/emails.ts";
import { countedThen } from "./support/reading.ts";
import { outcome, refused } from "./support/refusal.ts";
import { type World, test, testEach } from "./support/world.ts";

const sql = connect();
const november = "2026-11-02T12:00:00Z";
const october = "2026-10-01";

async function reporting(world: World, { news = true, zone = "UTC" } = {}): Promise<void> {
  const { tx, acme } = world;
  await tx`insert into public.workspace_add_ons (workspace_id, add_on, granted_at) values (${acme}, 'reports', '2026-01-01')`;
  await tx`update public.mail_settings set time_zone = ${zone} where workspace_id = ${acme}`;
  if (news) await count(world, "view", "2026-10-31", 3);
}
const count = (
  world: World,
  what: string,
  day: string,
  n: number,
  { post = null, source = "page" }: { post?: string | null; source?: string } = {},
) => countedThen(world, [{ what, day, n, post_id: post, source }]);

const make = ({ tx }: World, moment: string) => tx`select public.enqueue_reports(${moment})`;
const made = async ({ tx, acme }: World): Promise<string[]> =>
  (
    await tx<{ month: string; who: string }[]>`
      select d.data ->> 'month' as month, coalesce(r.email::text, u.email) as who from private.deliveries d
      join private.report_recipients r on r.id = d.target_id left join auth.users u on u.id = r.user_id
      where d.workspace_id = ${acme} and d.kind = 'report' order by 1, 2`
  ).map(({ month, who }) => `${month} ${who.replace(/-[\da-f-]{36}@.*/, "")}`);
const claim = ({ tx, acme }: World) => emailsToSend(tx, [acme]);
const name = (world: World, email: string, person: "owner" | "admin" = "owner") =>
  world.as(person, async (me) => {
    const [row] = await me`select public.add_report_recipient(${world.acme}, ${email}) as answer`;
    return row!.answer as { added: boolean; recipient: { id: string; state: string; kind: string } };
  });
const addressOf = async ({ tx, people }: World, person: keyof World["people"]) =>
  (await tx`select email from auth.users where id = ${people[person]}`)[0]!.email as string;
const newAddress = () => `${randomUUID()}@named.example`;
const tokenOf = async ({ tx }: World, id: string) => (await tx`select private.mail_token('report', ${id}) as token`)[0]!.token as string;
const change = async ({ tx }: World, token: string, action: string) =>
  (await tx`select public.change_report(${token}, ${action}) as known`)[0]!.known as boolean;
const longSince = ({ tx, acme }: World) =>
  tx`update private.report_recipients set active_since = '2026-01-01' where workspace_id = ${acme}`;

describe("a report is created", () => {
  test("once for the owner, however often it runs, and once for the next month", async ({ world }) => {
    await reporting(world);
    await make(world, november);
    await make(world, november);
    await make(world, "2026-11-05T12:00:00Z");
    expect(await made(world)).toEqual(["2026-10-01 owner"]);
    await count(world, "view", "2026-11-30", 1);
    await make(world, "2026-12-01T09:00:00Z");
    expect(await made(world)).toEqual(["2026-10-01 owner", "2026-11-01 owner"]);
  });

  testEach([
    ["UTC", "2026-11-01T09:00:00Z"],
    ["Europe/Berlin", "2026-11-01T08:00:00Z"],
    ["America/New_York", "2026-11-01T14:00:00Z"], // and here on this very morning
    ["Pacific/Niue", "2026-11-01T20:00:00Z"],
    ["Asia/Tokyo", "2026-11-01T00:15:00Z"], // nine is midnight in UTC: the month is over, and counts are complete a quarter of an hour later
    ["Pacific/Kiritimati", "2026-11-01T00:15:00Z"], // nine was still in October
  ])("in %s at %s, and not earlier", async (world, zone, at) => {
    await reporting(world, { zone });
    await make(world, new Date(Date.parse(at) - 1_000).toISOString());
    expect(await made(world)).toEqual([]);
    await make(world, at);
    expect(await made(world)).toEqual(["2026-10-01 owner"]);
  });

  testEach([
    ["2026-11-07T08:59:59Z", 1],
    ["2026-11-07T09:00:00Z", 0],
    ["2026-11-20T12:00:00Z", 0],
    ["2026-10-31T23:59:59Z", 0],
  ])("later, until the seventh, if the worker was down on the first: at %s %i", async (world, moment, reports) => {
    await reporting(world);
    await make(world, moment);
    expect(await made(world)).toHaveLength(reports);
  });

  test("once by several concurrent workers", async () => {
    await withWorkspace(sql, 0, async ({ workspace }) => {
      await sql`insert into public.workspace_add_ons (workspace_id, add_on, granted_at) values (${workspace}, 'reports', '2090-01-01')`;
      await countViews(sql, workspace, null, 1, "2090-10-31");
      await sql`insert into private.report_recipients (workspace_id, email, state)
          select ${workspace}, gen_random_uuid() || '@named.example', 'active' from generate_series(1, 19)`;
      await Promise.all(Array.from({ length: 6 }, () => sql`select public.enqueue_reports(${"2090-11-02T12:00:00Z"})`));
      const [row] = await sql`select count(*)::int as all, count(distinct target_id)::int as targets from private.deliveries
          where workspace_id = ${workspace} and kind = 'report'`;
      expect(row).toEqual({ all: 20, targets: 20 });
    });
  });
});

describe("a report is skipped", () => {
  const nobody: [string, (world: World) => Promise<unknown>][] = [
    ["without the add-on", ({ tx, acme }) => tx`delete from public.workspace_add_ons where workspace_id = ${acme} and add_on = 'reports'`],
    [
      "of a time before the add-on",
      ({ tx, acme }) => tx`update public.workspace_add_ons set granted_at = '2026-11-02' where workspace_id = ${acme}`,
    ],
    ["of a month without anything", ({ tx, acme }) => tx`delete from private.workspace_counts where workspace_id = ${acme}`],
    [
      "where only another month was read",
      ({ tx, acme }) =>
        tx`update private.workspace_counts set day = case views when 3 then '2026-11-01'::date end where workspace_id = ${acme}`,
    ],
    [
      "while the workspace is held",
      ({ tx, acme }) => tx`update public.mail_settings set held_at = now(), held_reason = 'bounces' where workspace_id = ${acme}`,
    ],
    ["for an owner who has stopped it", (world) => world.as("owner", (me) => me`select public.set_my_report(${world.acme}, false)`)],
    [
      "for an address that mails came back from",
      async (world) =>
        world.tx`insert into private.suppressions (address, reason) values (private.address_hash(${await addressOf(world, "owner")}), 'bounce')`,
    ],
  ];
  testEach(nobody)("%s", async (world, _, change) => {
    await reporting(world);
    await change(world);
    await make(world, november);
    expect(await made(world)).toEqual([]);
  });

  test("while a workspace is held, and created once after its release", async ({ world }) => {
    await reporting(world);
    await world.tx`update public.mail_settings set held_at = now(), held_reason = 'bounces' where workspace_id = ${world.acme}`;
    await make(world, november);
    await world.tx`update public.mail_settings set held_at = null, held_reason = null where workspace_id = ${world.acme}`;
    await make(world, november);
    await make(world, november);
    expect(await made(world)).toEqual(["2026-10-01 owner"]);
  });

  test("only without views and publications", async ({ world }) => {
    await reporting(world, { news: false });
    await world.post({ status: "published" });
    await world.tx`set local session_replication_role = replica`;
    await world.tx`update public.posts set published_at = '2026-10-01T00:00:00Z' where workspace_id = ${world.acme}`;
    await world.tx`set local session_replication_role = origin`;
    await make(world, november);
    expect(await made(world)).toEqual(["2026-10-01 owner"]);
  });
});

describe("a report's recipient", () => {
  test("can be a member, immediately, and once even if added twice", async ({ world }) => {
    await reporting(world);
    const email = await addressOf(world, "viewer");
    expect(await name(world, email.toUpperCase(), "admin")).toMatchObject({
      added: true,
      recipient: { state: "active", kind: "member" },
    });
    expect(await name(world, email)).toMatchObject({ added: false });
    await longSince(world);
    await make(world, november);
    expect(await made(world)).toEqual(["2026-10-01 owner", "2026-10-01 viewer"]);
  });

  test("can be any other address after confirmation, without earlier reports", async ({ world }) => {
    await reporting(world);
    const email = newAddress();
    const { recipient } = await name(world, email);
    expect(recipient).toMatchObject({ state: "asked", kind: "address" });
    await longSince(world);
    await make(world, november);
    expect(await made(world)).toEqual(["2026-10-01 owner"]);
    const question = (await claim(world)).find(({ kind }) => kind === "report_question");
    expect([question!.kind, question!.email]).toEqual(["report_question", email]);
    expect(await change(world, question!.token as string, "start")).toBe(true);
    await make(world, november);
    expect(await made(world)).toHaveLength(1);
    await count(world, "view", "2026-11-05", 1);
    await world.tx`update private.report_recipients set active_since = '2026-11-05' where id = ${recipient.id}`;
    await make(world, "2026-12-01T10:00:00Z");
    expect(await made(world)).toHaveLength(3);
  });

  test("is the current owner: after a transfer the new one, and no longer the old one", async ({ world }) => {
    await reporting(world);
    await make(world, november);
    await world.as("owner", (me) => me`select public.hand_over_ownership(${world.acme}, ${world.people.admin})`);
    const mails = await claim(world);
    expect(mails).toEqual([]);
    await count(world, "view", "2026-11-05", 1);
    await make(world, "2026-12-01T10:00:00Z");
    expect(await made(world)).toEqual(["2026-10-01 owner", "2026-11-01 admin"]);
  });

  test("list is limited to twenty", async ({ world }) => {
    await reporting(world);
    for (let named = 0; named < 20; named += 1) await name(world, newAddress());
    expect(await refused(name(world, newAddress()))).toMatchObject({
      code: "validation_failed",
      detail: { email: expect.stringContaining("20") as string },
    });
    expect(await refused(name(world, await addressOf(world, "viewer")))).toMatchObject({ code: "validation_failed" });
  });

  test("gets a confirmation email only within twenty a day per workspace, removals included", async ({ world }) => {
    await reporting(world);
    for (let asked = 0; asked < 20; asked += 1) {
      const { recipient } = await name(world, newAddress());
      await world.as("owner", (me) => me`select public.remove_report_recipient(${world.acme}, ${recipient.id})`);
    }
    expect(await outcome(name(world, newAddress()))).toBe("rate_limited");
    expect(await name(world, await addressOf(world, "viewer"))).toMatchObject({ added: true });
  });

  test("that never confirmed is deleted after thirty days", async ({ world }) => {
    await reporting(world);
    await name(world, newAddress());
    await world.tx`update private.report_recipients set created_at = '2026-10-01' where workspace_id = ${world.acme}`;
    await make(world, november);
    expect(await world.tx`select from private.report_recipients where workspace_id = ${world.acme} and state = 'asked'`).toHaveLength(0);
  });
});

describe("a pending report", () => {
  const pointless: [string, (world: World, id: string) => Promise<unknown>][] = [
    ["its owner has stopped it", async (world, id) => change(world, await tokenOf(world, id), "stop")],
    ["the add-on is gone", ({ tx, acme }) => tx`delete from public.workspace_add_ons where workspace_id = ${acme} and add_on = 'reports'`],
    [
      "mails came back meanwhile",
      ({ tx }, id) =>
        tx`insert into private.suppressions (address, reason) select private.address_hash(r.email::text), 'bounce' from private.report_recipients r where r.id = ${id}`,
    ],
  ];
  testEach(pointless)("is skipped where %s", async (world, _, change) => {
    await reporting(world);
    const { recipient } = await name(world, newAddress());
    await world.tx`delete from private.deliveries where workspace_id = ${world.acme}`;
    await world.tx`update private.report_recipients set state = 'active', active_since = null where id = ${recipient.id}`;
    await world.as("owner", (me) => me`select public.set_my_report(${world.acme}, false)`);
    await make(world, november);
    await change(world, recipient.id);
    expect(await claim(world)).toEqual([]);
    expect(
      (await world.tx`select state from private.deliveries where workspace_id = ${world.acme}`).map(({ state }) => state as string),
    ).toEqual(["dropped"]);
  });

  test("is leased with its month and a token, once, and not to workers without report support", async ({ world }) => {
    await reporting(world);
    await world.tx`update public.mail_settings set enabled = false where workspace_id = ${world.acme}`;
    await make(world, november);
    const [mail, ...more] = await claim(world);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ kind: "report", email: await addressOf(world, "owner"), posts: [] });
    expect((await world.tx`select ${mail!.month as Date}::date::text as month`)[0]!.month).toBe(october);
    expect((await world.tx`select public.report_link(${mail!.token as string}) as link`)[0]!.link).toEqual({
      ...{ workspace: "Acme", email: await addressOf(world, "owner"), state: "active" },
    });
    await settleEmails(world.tx, [{ id: mail!.id as string, outcome: "done", status: 200 }]);
    expect(await claim(world)).toEqual([]);
  });

  testEach(["hard", "complaint", "left"])("ends for an address after a bounce (%s)", async (world, kind) => {
    await reporting(world);
    await make(world, november);
    const [mail] = await claim(world);
    const told = [{ key: randomUUID(), kind, delivery: mail!.id as string }];
    await world.tx`select public.note_mail_events(${world.tx.json(told)})`;
    const [row] = await world.tx`select state, private.is_suppressed(${mail!.email as string}, ${world.acme}) as suppressed
        from private.report_recipients where workspace_id = ${world.acme}`;
    expect(row).toEqual({ state: "stopped", suppressed: kind !== "left" });
  });
});

describe("a report email's link", () => {
  test("unsubscribes and resubscribes repeatedly; an unsubscribed recipient can't be added again by others", async ({ world }) => {
    await reporting(world);
    const email = newAddress();
    const { recipient } = await name(world, email);
    const token = await tokenOf(world, recipient.id);
    const state = async () => (await world.tx`select state from private.report_recipients where id = ${recipient.id}`)[0]!.state as string;
    for (const action of ["start", "start"]) expect([await change(world, token, action), await state()]).toEqual([true, "active"]);
    for (const action of ["stop", "stop"]) expect([await change(world, token, action), await state()]).toEqual([true, "stopped"]);
    expect((await refused(name(world, email))).detail).toEqual({ email: expect.stringContaining("stopped") as string });
    expect([await change(world, token, "start"), await state()]).toEqual([true, "active"]);
  });

  test("unsubscribes permanently: after removal and re-adding, reports need a new confirmation", async ({ world }) => {
    await reporting(world);
    for (const email of [await addressOf(world, "viewer"), newAddress()]) {
      const { recipient } = await name(world, email);
      const token = await tokenOf(world, recipient.id);
      await change(world, token, "stop");
      await world.as("owner", (me) => me`select public.remove_report_recipient(${world.acme}, ${recipient.id})`);
      const [shown] = await world.as("owner", (me) => me`select public.workspace_reports(${world.acme}) -> 'recipients' as list`);
      expect(JSON.stringify(shown!.list)).not.toContain(email);
      expect((await refused(name(world, email))).detail).toEqual({ email: expect.stringContaining("stopped") as string });
      expect(await change(world, token, "start")).toBe(true);
    }
  });

  test("unsubscribes its address from all reports, also when it is listed twice", async ({ world }) => {
    await reporting(world);
    const email = await addressOf(world, "viewer");
    const { recipient } = await name(world, email);
    await world.tx`insert into private.report_recipients (workspace_id, email, state) values (${world.acme}, ${email}, 'active')`;
    const { recipient: another } = await name(world, newAddress());
    await change(world, await tokenOf(world, another.id), "start");
    await longSince(world);
    await change(world, await tokenOf(world, recipient.id), "stop");
    await make(world, november);
    const told = await made(world);
    expect([told.length, told.includes("2026-10-01 owner"), told.some((one) => one.endsWith("@named.example"))]).toEqual([2, true, true]);
  });

  test("is rejected when modified, when a subscriber's, or when its recipient was deleted", async ({ world }) => {
    await reporting(world);
    const { recipient } = await name(world, newAddress());
    const token = await tokenOf(world, recipient.id);
    const [other] = await world.tx`select private.mail_token('', ${recipient.id}, 1) as token`;
    const wrong = [other!.token as string, "", "x".repeat(48), token.slice(0, 47), `${token}A`, `${token.slice(0, -1)}\n`];
    for (let at = 0; at < token.length; at += 6) wrong.push(token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1));
    for (const one of wrong) {
      expect(await change(world, one, "stop")).toBe(false);
      expect((await world.tx`select public.report_link(${one}) as link`)[0]!.link).toBeNull();
    }
    await world.as("owner", (me) => me`select public.remove_report_recipient(${world.acme}, ${recipient.id})`);
    expect(await change(world, token, "start")).toBe(false);
  });
});

describe("a month's numbers", () => {
  const numbers = async ({ tx, acme }: World) =>
    (await tx`select public.report_numbers(${acme}, '2026-10-15') as n`)[0]!.n as Record<string, unknown>;
  const none = { views: 0, readers: 0, widget_opens: 0, clicks: 0, subscribed: 0, left: 0, mails_sent: 0 };

  test("are its days' sums, of this workspace only, with the previous month for comparison", async ({ world }) => {
    const [first, second, draft] = [
      await world.post({ status: "published" }),
      await world.post({ status: "published" }),
      await world.post(),
    ];
    await world.tx`set local session_replication_role = replica`;
    await world.tx`update public.posts set published_at = '2026-10-31T23:59:59Z', title = 'Last' where id = ${first.id}`;
    await world.tx`update public.posts set published_at = '2026-11-01T00:00:00Z', title = 'Next' where id = ${second.id}`;
    await world.tx`set local session_replication_role = origin`;
    for (const [day, n] of [
      ["2026-09-30", 5],
      ["2026-10-01", 7],
      ["2026-10-31", 11],
      ["2026-11-01", 100],
    ] as const) {
      await count(world, "view", day, n, { post: second.id });
    }
    await count(world, "view", "2026-10-01", 2, { post: first.id, source: "mail" });
    await count(world, "view", "2026-10-01", 2, { post: draft.id });
    await count(world, "view", "2026-10-01", 2, { post: randomUUID() });
    await count(world, "widget_open", "2026-10-02", 4, { source: "widget" });
    await count(world, "mail_sent", "2026-10-02", 9, { source: "mail" });
    for (let at = 1; at <= 7; at += 1) {
      await count(world, "referrer", "2026-10-03", at, { source: `host${at}.example` });
      await count(world, "search_none", "2026-10-03", at, { source: `term ${at}` });
    }
    await count(world, "referrer", "2026-10-03", 50, { source: "other" });
    await count({ ...world, acme: world.globex }, "view", "2026-10-01", 1_000);
    // Made-up values: addresses as search terms, and rare ones.
    await count(world, "search_none", "2026-10-03", 99, { source: "sign in at evil.example" });
    await count(world, "search_none", "2026-10-03", 98, { source: "https://evil" });
    expect(await numbers(world)).toEqual({
      open: false,
      analytics: false,
      totals: { ...none, views: 24, widget_opens: 4, mails_sent: 9 },
      previous: { ...none, views: 5 },
      published: 1,
      posts: [{ title: "Last", slug: first.slug, views: 2 }],
      most_read: [
        { title: "Next", slug: second.slug, views: 18 },
        { title: "Last", slug: first.slug, views: 2 },
      ],
      referrers: [7, 6, 5].map((n) => ({ name: `host${n}.example`, count: n })),
      searches: [7, 6, 5, 4, 3].map((n) => ({ name: `term ${n}`, count: n })),
    });
  });
});
