import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { committedAs, withWorkspace } from "./support/committed.ts";
import { connect } from "./support/database.ts";
import { emailsToSend, enqueueEmails } from "./support/emails.ts";
import { outcome, refused } from "./support/refusal.ts";
import { type Person, type World, test } from "./support/world.ts";

const sql = connect(8);

interface Reader {
  email?: string;
  status?: string;
  frequency?: string;
  tags?: string[] | null;
}
async function reader({ tx, acme }: World, { email, status = "active", frequency = "instant", tags = null }: Reader = {}) {
  const [row] = await tx<{ id: string; email: string }[]>`
    insert into public.subscribers (workspace_id, email, status, frequency, tags, confirmed_at)
    values (${acme}, ${email ?? `${randomUUID()}@reader.example`}, ${status}, ${frequency}, ${tags}, now()) returning id, email`;
  return row!;
}
const open = async ({ tx, acme }: World): Promise<void> => {
  await tx`set local session_replication_role = replica`;
  await tx`update public.workspaces set public_changelog_enabled = true where id = ${acme}`;
  await tx`set local session_replication_role = origin`;
};
const suppress = ({ tx, acme }: World, email: string, everywhere = false) =>
  tx`insert into private.suppressions (address, workspace_id, reason)
    values (private.address_hash(${email}), ${everywhere ? null : acme}, ${everywhere ? "complaint" : "erased"})`;
const rowsOf = ({ tx, acme }: World) =>
  tx`select email::text, status::text, frequency::text, tags, consent, confirmed_at, last_digest_at from public.subscribers
    where workspace_id = ${acme} order by email`;
const mailsOf = async ({ tx, acme }: World) =>
  (
    await tx`select s.email::text from private.deliveries d join public.subscribers s on s.id = d.target_id
      where d.workspace_id = ${acme} and d.kind = 'confirmation' order by 1`
  ).map((row) => row.email as string);

interface Outcome {
  added: number;
  known: number;
  refused: number;
}
interface Options {
  declared?: string | null;
  trial?: boolean;
}
async function bring(
  { as, acme }: World,
  readers: object[],
  { declared = null, trial = false }: Options = {},
  person: Person = "owner",
): Promise<Outcome> {
  const [row] = await as(
    person,
    (me) => me`select public.import_subscribers(${acme}, ${me.json(readers as never)}, ${declared}, ${trial}) as outcome`,
  );
  return row!.outcome as Outcome;
}
const add = async ({ as, acme }: World, email: string, person: Person = "owner", tags: string[] | null = null) =>
  (await as(person, (me) => me`select public.add_subscriber(${acme}, ${email}, 'weekly', ${tags}) as answer`))[0]!.answer as {
    added: boolean;
    subscriber: { email: string; status: string; tags: string[] | null };
  };

describe("a subscriber import", () => {
  test("emails each new reader for confirmation once; repeating the list changes nothing", async ({ world }) => {
    await open(world);
    await reader(world, { email: "there@acme.example", status: "left", frequency: "daily" });
    const list = [
      { email: "a@acme.example", frequency: "weekly", tags: ["fix", " fix ", "docs"] },
      { email: "A@ACME.example", frequency: "daily" },
      { email: "there@acme.example", frequency: "instant" },
      { email: "b@acme.example", confirmed_at: "2020-01-01T00:00:00Z" },
    ];
    expect(await bring(world, list, { trial: true })).toEqual({ added: 2, known: 1, refused: 0 });
    expect(await rowsOf(world)).toHaveLength(1);
    expect(await bring(world, list)).toEqual({ added: 2, known: 1, refused: 0 });
    const first = await rowsOf(world);
    expect(first).toMatchObject([
      { email: "a@acme.example", status: "pending", frequency: "weekly", tags: ["fix", "docs"], confirmed_at: null },
      { email: "b@acme.example", status: "pending", tags: null, confirmed_at: null, consent: { by: "import" } },
      { email: "there@acme.example", status: "left", frequency: "daily" },
    ]);
    expect(await bring(world, list)).toEqual({ added: 0, known: 3, refused: 0 });
    expect(await bring(world, list, { declared: "They said yes." })).toEqual({ added: 0, known: 3, refused: 0 });
    expect(await rowsOf(world)).toEqual(first);
    expect(await mailsOf(world)).toEqual(["a@acme.example", "b@acme.example"]);
  });

  test("emails an address at most four times a day, however often it's removed and imported again", async ({ world }) => {
    await open(world);
    const list = [{ email: "victim@acme.example" }, { email: "Victim@Acme.example" }];
    const outcomes: Outcome[] = [];
    let mails = 0;
    for (let time = 0; time < 6; time += 1) {
      outcomes.push(await bring(world, list));
      mails += (await mailsOf(world)).length;
      const [row] = await world.tx`select id from public.subscribers where workspace_id = ${world.acme}`;
      if (row) await world.as("owner", (me) => me`select public.remove_subscriber(${world.acme}, ${row.id as string})`);
    }
    const added = { added: 1, known: 0, refused: 0 };
    const refusal = { added: 0, known: 0, refused: 1 };
    expect(outcomes).toEqual([added, added, added, added, refusal, refusal]);
    expect(mails).toBe(4);
    expect(await outcome(add(world, "victim@acme.example"))).toBe("rate_limited");
  });

  test("subscribes immediately where the importer declares consent, and records who and when", async ({ world }) => {
    const inAYear = new Date(Date.now() + 31_536_000_000).toISOString();
    const list = [
      { email: "a@acme.example", confirmed_at: "2020-01-01T00:00:00Z", tags: [] },
      { email: "b@acme.example", confirmed_at: inAYear },
      { email: "c@acme.example" },
    ];
    expect(await bring(world, list, { declared: "They said yes." })).toEqual({ added: 3, known: 0, refused: 0 });
    const rows = await rowsOf(world);
    expect(rows.map(({ status }) => status)).toEqual(["active", "active", "active"]);
    expect(rows[0]).toMatchObject({
      tags: [],
      confirmed_at: new Date("2020-01-01T00:00:00Z"),
      consent: { text: "They said yes.", by: "import", actor: world.people.owner, at: expect.any(String) },
    });
    for (const { confirmed_at, last_digest_at } of rows) {
      expect((confirmed_at as Date).getTime()).toBeLessThanOrEqual(Date.now());
      expect(last_digest_at).not.toBeNull();
    }
    expect(await mailsOf(world)).toEqual([]);
  });

  test("never readds suppressed addresses, and counts them", async ({ world }) => {
    await suppress(world, "erased@acme.example");
    await suppress(world, "complained@acme.example", true);
    const list = ["Erased@acme.example", "complained@acme.example", "new@acme.example"].map((email) => ({ email }));
    expect(await bring(world, list, { trial: true })).toEqual({ added: 1, known: 0, refused: 2 });
    expect(await bring(world, list, { declared: "They said yes." })).toEqual({ added: 1, known: 0, refused: 2 });
    expect((await rowsOf(world)).map(({ email }) => email)).toEqual(["new@acme.example"]);
  });

  test("is refused where confirmation emails can't be sent; declared consent and a dry run aren't", async ({ world }) => {
    const list = [{ email: "a@acme.example" }];
    expect(await refused(bring(world, list))).toMatchObject({ code: "validation_failed", detail: { readers: expect.any(String) } });
    expect(await bring(world, list, { trial: true })).toMatchObject({ added: 1 });
    expect(await bring(world, list, { declared: "They said yes." })).toMatchObject({ added: 1 });
  });

  test("can be retried, within a limit", async ({ world }) => {
    await world.tx`insert into private.rate_limits (bucket, key, tokens, granted, updated_at, full_at)
        values ('importSubscribers', sha256(convert_to(${world.acme}, 'UTF8')), 0, false, clock_timestamp(), now() + interval '1 hour')`;
    expect(await outcome(bring(world, [{ email: "a@acme.example" }], { trial: true }))).toBe("rate_limited");
  });

  test("run twice at once, in another order, adds each once", () =>
    withWorkspace(sql, 0, async ({ owner, workspace }) => {
      const list = Array.from({ length: 500 }, (_, at) => ({ email: `reader${at}@acme.example` }));
      const both = [list, list.toReversed(), list, list.toReversed()].map((readers) =>
        committedAs(
          sql,
          owner,
          async (me) =>
            (await me`select public.import_subscribers(${workspace}, ${me.json(readers)}, 'They said yes.') as outcome`)[0]!.outcome,
        ),
      );
      const outcomes = (await Promise.all(both)) as Outcome[];
      expect(outcomes.map(({ added }) => added).sort((a, b) => a - b)).toEqual([0, 0, 0, 500]);
      expect(await sql`select from public.subscribers where workspace_id = ${workspace}`).toHaveLength(500);
    }));
});

describe("a manually added reader", () => {
  test("gets a confirmation email, again if unconfirmed, four times a day at most; an existing one is unchanged", async ({ world }) => {
    await open(world);
    const email = `${randomUUID()}@acme.example`;
    expect(await add(world, email, "owner", ["fix"])).toMatchObject({
      added: true,
      subscriber: { email, status: "pending", tags: ["fix"] },
    });
    expect(await mailsOf(world)).toEqual([email]);
    for (let time = 2; time <= 4; time += 1) expect(await add(world, email)).toMatchObject({ added: false, subscriber: { tags: ["fix"] } });
    expect(await outcome(add(world, email))).toBe("rate_limited");
    expect(await mailsOf(world)).toEqual([email]);
    const left = await reader(world, { status: "left" });
    expect(await add(world, left.email)).toMatchObject({ added: false, subscriber: { status: "left" } });
    expect(await mailsOf(world)).toEqual([email]);
  });

  test("can't be an erased one, nor be added where emails are off", async ({ world }) => {
    expect(await refused(add(world, "a@acme.example"))).toMatchObject({
      detail: { email: expect.stringContaining("Turn on email to readers") },
    });
    await open(world);
    await suppress(world, "a@acme.example");
    expect(await refused(add(world, "A@acme.example"))).toMatchObject({
      detail: { email: expect.stringContaining("We can't send email to this address") },
    });
    expect(await rowsOf(world)).toEqual([]);
  });
});

describe("the list of subscribers", () => {
  const list = async ({ as, acme }: World, filter: object, page = 1, size = 50) =>
    (await as("owner", (me) => me`select public.list_subscribers(${acme}, ${me.json(filter as never)}, ${page}, ${size}) as answer`))[0]!
      .answer as { total: number; subscribers: { email: string }[] };
  const emails = async (...asked: Parameters<typeof list>) => (await list(...asked)).subscribers.map(({ email }) => email).sort();

  test("filters by status, frequency, tag and part of the address, and has pages", async ({ world }) => {
    await reader(world, { email: "a_b%c@acme.example", tags: ["fix"] });
    await reader(world, { email: "daily@acme.example", frequency: "daily", tags: ["fix", "docs"] });
    await reader(world, { email: "left@acme.example", status: "left" });
    await world.tx`insert into public.subscribers (workspace_id, email) values (${world.globex}, 'a@globex.example')`;
    expect((await list(world, {})).total).toBe(3);
    expect(await emails(world, { status: "left" })).toEqual(["left@acme.example"]);
    expect(await emails(world, { frequency: "daily" })).toEqual(["daily@acme.example"]);
    expect(await emails(world, { tag: "fix" })).toEqual(["a_b%c@acme.example", "daily@acme.example"]);
    expect(await emails(world, { q: "DAILY" })).toEqual(["daily@acme.example"]);
    expect(await emails(world, { q: "%" })).toEqual(["a_b%c@acme.example"]);
    expect(await emails(world, { q: "globex" })).toEqual([]);
    expect((await list(world, {}, 2, 2)).subscribers).toHaveLength(1);
    expect(await list(world, {}, 9, 2)).toMatchObject({ total: 3, subscribers: [] });
  });

  test("has counts by topic", async ({ world }) => {
    for (const tags of [null, ["fix"], ["fix", "docs"], []]) await reader(world, { tags });
    await reader(world, { tags: ["fix"], status: "left" });
    const [row] = await world.as("viewer", (me) => me`select public.subscriber_numbers(${world.acme}) as numbers`);
    expect(row!.numbers).toMatchObject({
      active: 4,
      everything: 1,
      tags: [
        { key: "fix", readers: 2 },
        { key: "docs", readers: 1 },
      ],
    });
  });
});

describe("readers' topics follow the tags", () => {
  const create = ({ as, acme }: World, label: string) => as("owner", (me) => me`select public.create_tag(${acme}, ${label})`);
  const rename = ({ as, acme }: World, key: string, label: string) =>
    as("owner", (me) => me`select public.change_tag(${acme}, ${key}, ${label})`);
  const remove = ({ as, acme }: World, key: string) => as("owner", (me) => me`select public.delete_tag(${acme}, ${key})`);
  const merge = ({ as, acme }: World, key: string, into: string) =>
    as("owner", (me) => me`select public.delete_tag(${acme}, ${key}, ${into})`);
  const chosen = async ({ tx }: World, { id }: { id: string }) =>
    (await tx`select tags from public.subscribers where id = ${id}`)[0]!.tags as string[] | null;

  test("when one is renamed, merged or deleted; subscribers of everything keep everything", async ({ world }) => {
    for (const label of ["Beta", "Gamma"]) await create(world, label);
    const both = await reader(world, { tags: ["beta", "fix", "gamma"] });
    const all = await reader(world);
    await rename(world, "beta", "Delta");
    expect(await chosen(world, both)).toEqual(["delta", "fix", "gamma"]);
    await merge(world, "gamma", "delta");
    expect(await chosen(world, both)).toEqual(["delta", "fix"]);
    await merge(world, "fix", "docs");
    expect(await chosen(world, both)).toEqual(["delta", "docs"]);
    await remove(world, "delta");
    expect(await chosen(world, both)).toEqual(["docs"]);
    expect(await chosen(world, all)).toBeNull();
  });

  test("and a subscriber whose last topic is deleted gets nothing, not everything", async ({ world }) => {
    await open(world);
    await world.tx`update public.mail_settings set undo_minutes = 0 where workspace_id = ${world.acme}`;
    await create(world, "Beta");
    const only = await reader(world, { tags: ["beta"] });
    const all = await reader(world);
    await remove(world, "beta");
    expect(await chosen(world, only)).toEqual([]);
    await world.post({ status: "published", tags: ["fix"] });
    await world.post({ status: "published", tags: [] });
    await enqueueEmails(world.tx, [world.acme]);
    const told = await world.tx`select target_id from private.deliveries where workspace_id = ${world.acme} and kind = 'post'`;
    expect(told.map(({ target_id }) => target_id as string)).toEqual([all.id, all.id]);
  });

  test("also when an old key is chosen later, or at the same time; other workspaces' stay", async ({ world }) => {
    await create(world, "Beta");
    await rename(world, "beta", "Delta");
    const late = await reader(world, { tags: ["beta", "delta", "fix"] });
    expect(await chosen(world, late)).toEqual(["delta", "fix"]);
    const [elsewhere] = await world.tx<{ id: string }[]>`
        insert into public.subscribers (workspace_id, email, tags) values (${world.globex}, 'a@globex.example', '{delta}') returning id`;
    await remove(world, "delta");
    expect(await chosen(world, elsewhere!)).toEqual(["delta"]);
    // rows that another transaction wrote during the move are found when it is finished
    await world.tx`alter table public.subscribers disable trigger subscribers_05_tags`;
    const same = await reader(world, { tags: ["delta", "fix"] });
    await world.tx`alter table public.subscribers enable trigger subscribers_05_tags`;
    await world.tx`update private.tag_moves set begun_at = now() - interval '1 minute' where workspace_id = ${world.acme}`;
    await world.tx`select private.settle_tags()`;
    expect(await chosen(world, same)).toEqual(["fix"]);
  });
});

describe("an unsubscribed reader", () => {
  const ask = ({ tx }: World, subdomain: string, email: string) =>
    tx`select private.ask_subscription(${subdomain}, ${email}, 'instant', null, ${randomUUID()}, '{"network": 100, "address": 100}')`;
  const subdomainOf = async ({ tx, acme }: World) =>
    (await tx<{ subdomain: string }[]>`select subdomain from public.workspaces where id = ${acme}`)[0]!.subdomain;

  test("stays unsubscribed when someone enters the address without confirmation: imports skip it, webhooks don't report it", async ({
    world,
  }) => {
    const { tx, acme } = world;
    await open(world);
    await tx`insert into private.webhooks (workspace_id, kind, url, sealed, events)
        values (${acme}, 'webhook', 'https://hooks.example/', ${"x".repeat(40)}, '{subscriber.left,subscriber.confirmed}')`;
    const { id, email } = await reader(world, { status: "left" });
    await tx`update public.subscribers set left_at = now() where id = ${id}`;
    await ask(world, await subdomainOf(world), email);
    expect((await rowsOf(world)).map(({ status }) => status as string)).toEqual(["pending"]);
    await tx`update public.subscribers set created_at = now() - interval '8 days' where id = ${id}`;
    await tx`select private.tidy_up()`;
    expect((await rowsOf(world)).map(({ status }) => status as string)).toEqual(["left"]);
    expect(await bring(world, [{ email }], { declared: "They have confirmed" })).toMatchObject({ added: 0, known: 1 });
    expect(await tx`select from private.webhook_events where workspace_id = ${acme}`).toHaveLength(0);
  });

  test("a paused reader who asks again gets the promised email", async ({ world }) => {
    const { tx, acme } = world;
    await open(world);
    const { email } = await reader(world, { status: "paused" });
    await ask(world, await subdomainOf(world), email);
    expect([...(await emailsToSend(tx, [acme]))]).toEqual([expect.objectContaining({ kind: "reminder", email })]);
  });
});
