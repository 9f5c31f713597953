import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect } from "vitest";
import { committedAs, withWorkspace } from "./support/committed.ts";
import { connect } from "./support/database.ts";
import { emailsToSend, settleEmails } from "./support/emails.ts";
import { newWorkspace, type World, words, test, testEach } from "./support/world.ts";

const sql = connect();

async function reader({ tx }: World, workspace: string, email = `${randomUUID()}@reader.example`) {
  const [row] = await tx<{ id: string; email: string }[]>`
    insert into public.subscribers (workspace_id, email, status, confirmed_at) values (${workspace}, ${email}, 'active', now()) returning id, email`;
  return row!;
}
const sent = ({ tx }: World, workspace: string, target: string, count = 1, columns: Record<string, string> = {}) => tx<{ id: string }[]>`
  insert into private.deliveries (workspace_id, kind, target_id, state, attempt, ended_at, remote_id, bounce)
  select ${workspace}, 'post', ${target}, ${columns.state ?? "done"}, 1, clock_timestamp() - (${count} - n) * interval '1 second',
    ${columns.remote ?? null}, ${columns.bounce ?? null}
  from generate_series(1, ${count}) as n returning id`;
const waiting = ({ tx }: World, workspace: string, target: string, count = 1) => tx<{ id: string }[]>`
  insert into private.deliveries (workspace_id, kind, target_id, due_at)
  select ${workspace}, 'reminder', ${target}, clock_timestamp() - interval '1 hour' from generate_series(1, ${count}) returning id`;
const open = async ({ tx }: World, workspace: string, age = "1 month") => {
  await tx`set local session_replication_role = replica`;
  await tx`update public.workspaces set public_changelog_enabled = true, created_at = now() - ${age}::text::interval where id = ${workspace}`;
  await tx`set local session_replication_role = origin`;
};
interface Told {
  kind: string;
  key?: string;
  delivery?: string;
  remote?: string;
  email?: string;
  at?: string;
}
const tell = async ({ tx }: World, ...events: Told[]): Promise<number> => {
  const list = events.map((event) => ({ key: randomUUID(), at: new Date().toISOString(), ...event }));
  return (await tx`select public.note_mail_events(${tx.json(list as never)}) as noted`)[0]!.noted as number;
};
const claim = ({ tx, acme, globex }: World, firstWeek?: number) => emailsToSend(tx, [acme, globex], { firstWeek });
const statusOf = async ({ tx }: World, id: string) =>
  (await tx`select status from public.subscribers where id = ${id}`)[0]!.status as string;
const suppressed = async ({ tx }: World, email: string) => [
  ...(await tx`select workspace_id, reason from private.suppressions where address = private.address_hash(${email})`),
];
const held = async ({ tx, acme }: World) =>
  (await tx`select held_at, held_reason from public.mail_settings where workspace_id = ${acme}`)[0]!;

describe("a bounce or complaint", () => {
  test("ends all email to the address everywhere after a hard bounce, and every subscription shows it", async ({ world }) => {
    const ana = await reader(world, world.acme);
    const elsewhere = await reader(world, world.globex, ana.email);
    const other = await reader(world, world.acme);
    const [mail] = await sent(world, world.acme, ana.id);
    expect(await tell(world, { kind: "hard", delivery: mail!.id })).toBe(1);
    expect([await statusOf(world, ana.id), await statusOf(world, elsewhere.id), await statusOf(world, other.id)]).toEqual([
      "suppressed",
      "suppressed",
      "active",
    ]);
    expect(await suppressed(world, ana.email)).toEqual([{ workspace_id: null, reason: "bounce" }]);
  });

  test("ends all email of that workspace to the address after a complaint", async ({ world }) => {
    const ana = await reader(world, world.acme);
    const elsewhere = await reader(world, world.globex, ana.email);
    const [mail] = await sent(world, world.acme, ana.id);
    await world.tx`insert into private.suppressions (address, workspace_id, reason) values (private.address_hash(${ana.email}), ${world.acme}, 'erased')`;
    await tell(world, { kind: "complaint", delivery: mail!.id });
    expect([await statusOf(world, ana.id), await statusOf(world, elsewhere.id)]).toEqual(["suppressed", "active"]);
    expect(await suppressed(world, ana.email)).toEqual([{ workspace_id: world.acme, reason: "complaint" }]);
  });

  test("pauses a subscriber after three soft bounces in fourteen days; older or fewer ones don't", async ({ world }) => {
    const [ana, ben] = [await reader(world, world.acme), await reader(world, world.acme)];
    const [mails, others] = [await sent(world, world.acme, ana.id, 4), await sent(world, world.acme, ben.id, 4)];
    const longAgo = new Date(Date.now() - 15 * 86_400_000).toISOString();
    for (const [at, { id }] of mails.slice(0, 2).entries()) {
      await tell(world, { kind: "soft", delivery: id }, { kind: "soft", delivery: id, key: `again ${at} ${id}` });
      expect(await statusOf(world, ana.id)).toBe("active");
    }
    await tell(world, { kind: "soft", delivery: mails[2]!.id });
    expect(await statusOf(world, ana.id)).toBe("paused");
    for (const [at, { id }] of others.entries()) await tell(world, { kind: "soft", delivery: id, ...(at < 2 && { at: longAgo }) });
    expect(await statusOf(world, ben.id)).toBe("active");
  });

  test("is matched by our id, the transport's, or the last email to the address, and counts once when repeated", async ({ world }) => {
    const [ana, ben, cleo] = [await reader(world, world.acme), await reader(world, world.acme), await reader(world, world.acme)];
    const [byId] = await sent(world, world.acme, ana.id);
    await sent(world, world.acme, ben.id, 1, { remote: "re_1" });
    await sent(world, world.acme, cleo.id);
    const events: Told[] = [
      { key: `a ${ana.id}`, kind: "complaint", delivery: byId!.id, email: "forged@reader.example" },
      { key: `b ${ana.id}`, kind: "complaint", remote: "re_1" },
      { key: `c ${ana.id}`, kind: "complaint", email: cleo.email.toUpperCase() },
      { key: `d ${ana.id}`, kind: "complaint", delivery: randomUUID(), remote: "re_unknown", email: "nobody@reader.example" },
    ];
    expect(await tell(world, ...events)).toBe(4);
    expect(await tell(world, ...events)).toBe(0);
    for (const { id } of [ana, ben, cleo]) expect(await statusOf(world, id)).toBe("suppressed");
    expect(await suppressed(world, "forged@reader.example")).toEqual([]);
    expect(await suppressed(world, "nobody@reader.example")).toEqual([]);
  });

  test("during sending is a hard bounce too, without a retry", async ({ world }) => {
    await open(world, world.acme);
    const [ana, ben] = [await reader(world, world.acme), await reader(world, world.acme)];
    await waiting(world, world.acme, ana.id);
    await waiting(world, world.acme, ben.id);
    const taken = await claim(world);
    const of = (email: string) => taken.find((delivery) => delivery.email === email)!.id as string;
    await settleEmails(world.tx, [
      { id: of(ana.email), outcome: "failed", status: 550, error: "no such user", bounce: "hard" },
      { id: of(ben.email), outcome: "failed", status: 554, error: "5.7.1 relay denied", after: 1.5 },
    ]);
    expect([await statusOf(world, ana.id), await statusOf(world, ben.id)]).toEqual(["suppressed", "active"]);
    await waiting(world, world.acme, ana.id);
    expect(await claim(world)).toEqual([]);
    expect(await suppressed(world, ana.email)).toHaveLength(1);
  });

  test("reported by thirty workers at once counts once", async () => {
    await withWorkspace(sql, 0, async ({ workspace }) => {
      const [row] = await sql`insert into public.subscribers (workspace_id, email, status, confirmed_at)
        values (${workspace}, ${`${randomUUID()}@reader.example`}, 'active', now()) returning id`;
      const [mail] = await sql`insert into private.deliveries (workspace_id, kind, target_id, state, attempt, ended_at)
        values (${workspace}, 'post', ${row!.id as string}, 'done', 1, now()) returning id`;
      const event = [{ key: `race ${mail!.id as string}`, kind: "hard", delivery: mail!.id as string, at: new Date().toISOString() }];
      const noted = await Promise.all(
        Array.from({ length: 30 }, () => sql`select public.note_mail_events(${sql.json(event as never)}) as noted`),
      );
      expect(noted.reduce((sum, [row]) => sum + (row!.noted as number), 0)).toBe(1);
    });
  });
});

describe("a workspace with too many bounces", () => {
  const harm = async (world: World, mails: number, kind: "hard" | "complaint", count: number) => {
    const ana = await reader(world, world.acme);
    await sent(world, world.acme, ana.id, mails - count);
    const back = await sent(world, world.acme, ana.id, count);
    await tell(world, ...back.map(({ id }) => ({ kind, delivery: id })));
  };

  testEach([
    ["complaint", 1_000, 3, null],
    ["complaint", 1_000, 4, "complaints"],
    ["complaint", 10, 1, null],
    ["complaint", 20, 3, "complaints"],
    ["hard", 1_000, 50, null],
    ["hard", 1_000, 51, "bounces"],
    ["hard", 10, 9, null],
    ["hard", 100, 10, "bounces"],
  ] as const)("%s: of %i emails %i is %j", async (world, kind, mails, count, reason) => {
    await harm(world, mails, kind, count);
    expect((await held(world)).held_reason).toBe(reason);
  });

  test("isn't held for addresses that anyone can type; its next confirmation emails wait some hours", async ({ world }) => {
    const ana = await reader(world, world.acme);
    await world.tx`update public.subscribers set consent = '{"by": "page"}' where id = ${ana.id}`;
    const ask = async () => {
      await world.tx`select private.enqueue_subscriber_email(s, 'confirmation') from public.subscribers s where s.id = ${ana.id}`;
      const [mail] = await world.tx`delete from private.deliveries where target_id = ${ana.id} and state = 'waiting'
          returning due_at > clock_timestamp() + interval '5 hours' as late`;
      return mail!.late as boolean;
    };
    const back = await sent(world, world.acme, ana.id, 50);
    await world.tx`update private.deliveries set kind = 'confirmation' where target_id = ${ana.id}`;
    await tell(world, ...back.slice(1).map(({ id }) => ({ kind: "hard", delivery: id })));
    expect([(await held(world)).held_reason, await ask()]).toEqual([null, false]);
    await tell(world, { kind: "hard", delivery: back[0]!.id });
    expect([(await held(world)).held_reason, await ask()]).toEqual([null, true]);
  });

  testEach([
    ["page", null],
    ["import", "bounces"],
    ["member", "bounces"],
  ])("is found by bounced confirmation emails: addresses added by a %s give %j", async (world, by, reason) => {
    const ana = await reader(world, world.acme);
    await world.tx`update public.subscribers set consent = ${world.tx.json({ by })} where id = ${ana.id}`;
    const back = await sent(world, world.acme, ana.id, 20);
    await world.tx`update private.deliveries set kind = 'confirmation' where target_id = ${ana.id}`;
    await tell(world, ...back.map(({ id }) => ({ kind: "hard", delivery: id })));
    expect((await held(world)).held_reason).toBe(reason);
  });

  test("is detected without reading all subscribers", async ({ world: { tx, acme } }) => {
    await tx`insert into public.subscribers (workspace_id, email) select ${acme}, gen_random_uuid() || '@reader.example' from generate_series(1, 2000)`;
    await tx`insert into private.deliveries (workspace_id, kind, target_id, state, ended_at)
        select workspace_id, 'confirmation', id, 'done', now() from public.subscribers where workspace_id = ${acme}`;
    await tx`analyze public.subscribers`;
    await tx`analyze private.deliveries`;
    const scans = async () => Number((await tx`select pg_stat_get_xact_numscans('public.subscribers'::regclass) as scans`)[0]!.scans);
    const before = await scans();
    await tx`select private.pause_harmful_sender(${acme})`;
    expect((await scans()) - before).toBe(0);
  });

  test("is held: only the notice to its owner is sent, other workspaces aren't delayed, and the operator can release it", async ({
    world,
  }) => {
    await open(world, world.acme);
    await open(world, world.globex);
    await harm(world, 20, "complaint", 3);
    const [ben, elsewhere] = [await reader(world, world.acme), await reader(world, world.globex)];
    await waiting(world, world.acme, ben.id, 3);
    await waiting(world, world.globex, elsewhere.id);
    const [owner] = await world.tx`select email from auth.users where id = ${world.people.owner}`;
    const taken = await claim(world);
    expect(taken.map(({ kind, workspace_id, email, token }) => ({ kind, workspace_id, email, token: token !== "" }))).toEqual(
      expect.arrayContaining([
        { kind: "held", workspace_id: world.acme, email: owner!.email as string, token: false },
        { kind: "reminder", workspace_id: world.globex, email: elsewhere.email, token: true },
      ]),
    );
    expect(taken).toHaveLength(2);
    await settleEmails(
      world.tx,
      taken.map(({ id }) => ({ id: id as string, outcome: "done" })),
    );
    await tell(world, { kind: "complaint", delivery: (await sent(world, world.acme, ben.id))[0]!.id });
    expect(await world.tx`select from private.deliveries where workspace_id = ${world.acme} and kind = 'held'`).toHaveLength(1);
    const [states] =
      await world.tx`select count(*)::int as waiting from private.deliveries where target_id = ${ben.id} and state = 'waiting'`;
    expect(states!.waiting).toBe(3);

    const release = (name: string) =>
      world.tx.unsafe(
        readFileSync("supabase/sql/release-mails.sql", "utf8")
          .replaceAll(":'workspace'", `'${world.acme}'`)
          .replaceAll(":'name'", `'${name}'`),
      );
    expect(await release("Another")).toHaveLength(0);
    expect(await release("Acme")).toHaveLength(1);
    await world.tx`update public.subscribers set status = 'active' where id = ${ben.id}`;
    expect((await claim(world)).map(({ email }) => email)).toEqual([ben.email, ben.email, ben.email]);
    await tell(world, { kind: "complaint", delivery: (await sent(world, world.acme, ben.id))[0]!.id });
    expect((await held(world)).held_at).toBeNull();
  });

  test("holds every workspace of its owner, later ones too, and is released with them", async ({ world }) => {
    const { tx, people } = world;
    const second = await newWorkspace(tx, people.owner, "Second");
    await tx`insert into public.members (workspace_id, user_id, role) values (${world.globex}, ${people.owner}, 'admin')`;
    await harm(world, 20, "complaint", 3);
    const later = await newWorkspace(tx, people.owner, "Later");
    const reasonsOf = async () =>
      (
        await tx`select held_reason from unnest(${[world.acme, second, later, world.globex]}::uuid[]) with ordinality as u (id, place)
            join public.mail_settings m on m.workspace_id = u.id order by u.place`
      ).map((row) => row.held_reason as string | null);
    expect(await reasonsOf()).toEqual(["complaints", "complaints", "complaints", null]);
    await tx.unsafe(
      readFileSync("supabase/sql/release-mails.sql", "utf8").replaceAll(":'workspace'", `'${world.acme}'`).replaceAll(":'name'", `'Acme'`),
    );
    expect(await reasonsOf()).toEqual([null, null, null, null]);
  });
});

describe("a workspace in its first week", () => {
  test("has a daily limit of emails; the rest waits for the next day, and an older one has no limit", async ({ world }) => {
    await open(world, world.acme, "6 days");
    await open(world, world.globex, "8 days");
    const [ana, elsewhere] = [await reader(world, world.acme), await reader(world, world.globex)];
    await waiting(world, world.acme, ana.id, 30);
    await waiting(world, world.globex, elsewhere.id, 30);
    const first = await claim(world, 20);
    const of = (workspace: string, taken: typeof first) => taken.filter(({ workspace_id }) => workspace_id === workspace);
    expect([of(world.acme, first).length, of(world.globex, first).length]).toEqual([20, 30]);
    expect(of(world.acme, await claim(world, 20))).toHaveLength(0);
    const [again, ...done] = of(world.acme, first).map(({ id }) => id as string);
    await settleEmails(world.tx, [{ id: again, outcome: "again" }, ...done.map((id) => ({ id, outcome: "done" }))]);
    await world.tx`update private.mail_days set day = day - 1 where owner_id = ${world.people.owner}`;
    expect(of(world.acme, await claim(world, 20))).toHaveLength(10);
    expect((await world.tx`select mails from private.mail_days where owner_id = ${world.people.owner} order by day desc`)[0]!.mails).toBe(
      10,
    );
  });

  test("shares its daily limit with its owner's other new workspaces, deleted ones too", async ({ world }) => {
    const { tx, people } = world;
    await open(world, world.acme, "6 days");
    const second = await newWorkspace(tx, people.owner, "Second");
    await open(world, second, "1 day");
    const given = async (workspaces: string[]) => (await emailsToSend(tx, workspaces, { firstWeek: 20 })).length;
    for (const workspace of [world.acme, second]) await waiting(world, workspace, (await reader(world, workspace)).id, 15);
    expect(await given([world.acme, second])).toBe(20);
    expect(await given([world.acme, second])).toBe(0);
    await world.as("owner", (me) => me`select public.delete_workspace(${second}, 'Second')`);
    const third = await newWorkspace(tx, people.owner, "Third");
    await open(world, third, "1 day");
    await waiting(world, third, (await reader(world, third)).id, 15);
    expect(await given([world.acme, third])).toBe(0);
  });

  const takenAtOnce = () =>
    withWorkspace(sql, 0, async ({ owner, workspace }) => {
      await sql`update public.workspaces set public_changelog_enabled = true where id = ${workspace}`;
      await sql`update public.mail_settings set undo_minutes = 60 where workspace_id = ${workspace}`;
      await committedAs(
        sql,
        owner,
        (me) => me`select public.create_post(${workspace}, 'News', ${words("text") as never}, status => 'published')`,
      );
      const reader = await sql.begin(async (tx) => {
        const [row] = await tx`insert into public.subscribers (workspace_id, email, status, confirmed_at)
          values (${workspace}, ${`${randomUUID()}@reader.example`}, 'active', now()) returning id`;
        await tx`insert into private.deliveries (workspace_id, kind, target_id)
          select ${workspace}, 'reminder', ${row!.id as string} from generate_series(1, 300)`;
        await tx`insert into private.mail_days (owner_id, day, mails) values (${owner}, (now() at time zone 'utc')::date, 450)`;
        return row!.id as string;
      });
      const jobs = (await sql`select job_id from private.deliveries where target_id = ${reader}`).map(({ job_id }) => job_id as string);
      const taken = await Promise.all(
        Array.from(
          { length: 10 },
          (_, at) => sql`select e.id from unnest(${jobs.slice(at * 30, at * 30 + 30)}::uuid[]) as j (id), public.emails_to_send(j.id) e`,
        ),
      );
      const [row] = await sql`select count(*)::int as tried from private.deliveries where target_id = ${reader} and attempt > 0`;
      const byThese = taken.flatMap((rows) => [...rows]).length;
      return { byThese, byAll: row!.tried as number };
    });

  test("never sends more with ten workers at once", async () => {
    let took = await takenAtOnce();
    // Retry: the stack's own worker has no first week limit and may interfere.
    for (let tries = 1; took.byThese !== took.byAll && tries < 10; tries++) took = await takenAtOnce();
    expect(took).toEqual({ byThese: 50, byAll: 50 });
  });
});

test("an address that bounced is emailed again after the operator's release, but not after a complaint", async ({ world }) => {
  const ana = await reader(world, world.acme);
  const elsewhere = await reader(world, world.globex, ana.email);
  await tell(world, { kind: "complaint", delivery: (await sent(world, world.globex, elsewhere.id))[0]!.id });
  await tell(world, { kind: "hard", delivery: (await sent(world, world.acme, ana.id))[0]!.id });
  await world.tx.unsafe(readFileSync("supabase/sql/mail-again.sql", "utf8").replaceAll(":'email'", `'${ana.email}'`)).simple();
  expect([await statusOf(world, ana.id), await statusOf(world, elsewhere.id)]).toEqual(["active", "suppressed"]);
});
