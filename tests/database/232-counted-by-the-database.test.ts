import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { settleEmails } from "./support/emails.ts";
import { browser, countedThen, openWithPost, type Told } from "./support/reading.ts";
import { inDays, test } from "./support/world.ts";

const yesterday = inDays(-1).toISOString().slice(0, 10);

describe("a day's names", () => {
  const terms = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index): Told => ({ what: "search_none", name: `term ${from + index}` }));

  test("are two hundred at most, over any number of roll-ups; the rest is other, and none is lost", async ({ world }) => {
    const { told, counts } = await openWithPost(world);
    // Two readers search the last ten, which are therefore kept, though last in the alphabet.
    await told(...terms(0, 250), ...terms(240, 250).map((term): Told => ({ ...term, address: "203.0.113.8" })));
    const first = await counts("search_none");
    expect([Object.keys(first).length, first.other, first["term 249"]]).toEqual([201, 50, 2]);
    await told(...terms(245, 255).map((term): Told => ({ ...term, address: "203.0.113.9" })));
    const second = await counts("search_none");
    expect([Object.keys(second).length, second.other, second["term 249"], second["term 250"]]).toEqual([201, 55, 3, undefined]);
    expect(Object.values(second).reduce((all, n) => all + n, 0)).toBe(270);
  });

  test("of past days are fifty and other, late ones included; invalid names stay unchanged", async ({ world }) => {
    const { counts } = await openWithPost(world);
    const names = Array.from({ length: 120 }, (_, index) => ({
      day: yesterday,
      what: "referrer",
      source: `host-${index}.example`,
      n: 200 - index,
    }));
    await countedThen(world, [...names, { day: yesterday, what: "reader", source: "page", n: 7 }]);
    await world.tx`select private.tidy_up()`;
    const squeezed = await counts("referrer");
    const all = names.reduce((sum, { n }) => sum + n, 0);
    expect([Object.keys(squeezed).length, squeezed["host-0.example"], squeezed["host-49.example"], squeezed["host-50.example"]]).toEqual([
      51,
      200,
      151,
      undefined,
    ]);
    await countedThen(world, [{ day: yesterday, what: "referrer", source: "late.example", n: 500 }]);
    await world.tx`select private.tidy_up()`;
    const again = await counts("referrer");
    expect([Object.keys(again).length, again["late.example"], again["host-49.example"]]).toEqual([51, 500, undefined]);
    expect(Object.values(again).reduce((sum, n) => sum + n, 0)).toBe(all + 500);
    await world.tx`select private.tidy_up()`;
    expect([await counts("referrer"), await counts("reader")]).toEqual([again, { page: 7 }]);
  });

  test("of past countries are those of five readers and other, in the export too", async ({ world }) => {
    const { counts } = await openWithPost(world);
    const exported = async () => {
      const pieces = await world.tx`select piece from private.export_document(${world.acme}) as d (piece)`;
      const { daily_counts } = JSON.parse(pieces.map(({ piece }) => piece as string).join("\n")) as {
        daily_counts: { what: string; source: string }[];
      };
      return daily_counts.filter(({ what }) => what === "country").map(({ source }) => source);
    };
    const of = (source: string, n: number) => ({ day: yesterday, what: "country", source, n });
    await countedThen(world, [of("DE", 5), of("FR", 4), of("LI", 1), of("other", 2)]);
    expect(await exported()).toEqual(["DE"]);
    await world.tx`select private.tidy_up()`;
    expect(await counts("country")).toEqual({ DE: 5, other: 7 });
    expect(await exported()).toEqual(["DE", "other"]);
  });

  test("of today are kept", async ({ world }) => {
    const { told, counts } = await openWithPost(world);
    await told(...terms(0, 80));
    const before = await counts("search_none");
    await world.tx`select private.tidy_up()`;
    expect(Object.keys(await counts("search_none"))).toEqual(Object.keys(before));
    expect(Object.keys(before)).toHaveLength(80);
  });
});

describe("the queue of counts", () => {
  test("counts once, however often it is rolled up, and again with later events", async ({ world }) => {
    const { told, counts, rollUp } = await openWithPost(world);
    await rollUp();
    await told({ source: "mail" });
    expect([await rollUp(), await rollUp(), await counts("view")]).toEqual([2, 0, { mail: 1 }]);
    await told({ source: "mail", address: "203.0.113.8" });
    expect([await rollUp(), await counts("view"), await counts("view", "post")]).toEqual([2, { mail: 2 }, { mail: 2 }]);
  });

  test("of a deleted workspace is deleted, without affecting others", async ({ world }) => {
    const { counts, rollUp } = await openWithPost(world);
    const gone = randomUUID();
    await world.tx`insert into private.count_queue (workspace_id, what, day, source) values
        (${gone}, 'view', ${yesterday}, 'page'), (${world.acme}, 'reader', ${yesterday}, 'page')`;
    expect(await rollUp()).toBe(1);
    expect(await world.tx`select 1 from private.count_queue where workspace_id = ${gone}`).toHaveLength(0);
    expect(await counts("reader")).toEqual({ page: 1 });
  });
});

describe("sent emails", () => {
  test("count once: a post's for the post, digests for the workspace", async ({ world }) => {
    const { tx, acme } = world;
    const { post, counts } = await openWithPost(world);
    const [event] = await tx`select id from private.events where post_id = ${post.id}`;
    await tx`insert into private.deliveries (event_id, workspace_id, kind, target_id, attempt)
        values (${event!.id}, ${acme}, 'post', ${randomUUID()}, 1), (${event!.id}, ${acme}, 'post', ${randomUUID()}, 1),
          (${event!.id}, ${acme}, 'post', ${randomUUID()}, 1)`;
    await tx`insert into private.deliveries (workspace_id, kind, target_id, attempt)
        values (${acme}, 'digest', ${randomUUID()}, 1), (${acme}, 'digest', ${randomUUID()}, 1), (${acme}, 'confirmation', ${randomUUID()}, 1)`;
    const waiting = await tx`select id, kind from private.deliveries where workspace_id = ${acme} and state = 'waiting' order by kind, id`;
    const ids = (kind: string) => waiting.filter((one) => one.kind === kind).map(({ id }) => id as string);
    const [first, second, third] = ids("post");
    const outcomes = [
      { id: first, outcome: "done" },
      { id: second, outcome: "again" },
      { id: third, outcome: "failed", error: "no such mailbox" },
      ...[...ids("digest"), ...ids("confirmation")].map((id) => ({ id, outcome: "done" })),
    ];
    await settleEmails(tx, outcomes);
    await settleEmails(tx, outcomes);
    expect([await counts("mail_sent"), await counts("mail_sent", "post")]).toEqual([{ mail: 3 }, { mail: 1 }]);
    await tx`update private.deliveries set state = 'waiting' where id = ${second!}`;
    await settleEmails(tx, [{ id: second, outcome: "done" }]);
    expect([await counts("mail_sent"), await counts("mail_sent", "post")]).toEqual([{ mail: 4 }, { mail: 2 }]);
  });
});

describe("subscribers", () => {
  test("count as one entry per thousand when imported; unconfirmed ones don't", async ({ world }) => {
    const { counts, rollUp } = await openWithPost(world);
    await rollUp();
    const list = (name: string, amount: number) =>
      JSON.stringify(Array.from({ length: amount }, (_, index) => ({ email: `${name}${index}@reader.example` })));
    for (let part = 0; part < 5; part++)
      await world.as(
        "owner",
        (me) => me`select public.import_subscribers(${world.acme}, ${list(`p${part}-`, 1_000)}::text::jsonb, 'They said yes.')`,
      );
    expect(await rollUp()).toBe(5);
    await world.as(
      "owner",
      (me) => me`select public.import_subscribers(${world.acme}, ${list("p0-", 1_000)}::text::jsonb, 'They said yes.')`,
    );
    await world.as("owner", (me) => me`select public.import_subscribers(${world.acme}, ${list("asked", 3)}::text::jsonb)`);
    expect(await counts("subscribed")).toEqual({ page: 5_000 });
  });

  test("count once each when they confirm, leave, return and are removed; unconfirmed ones leave no trace", async ({ world }) => {
    const { tx, acme } = world;
    const { subdomain, counts } = await openWithPost(world);
    const [reader] = await tx`insert into public.subscribers (workspace_id, email) values (${acme}, 'reader@example.com') returning id`;
    const change = async (action: string) => {
      const [row] = await tx`select private.mail_token('', id, generation) as token from public.subscribers where id = ${reader!.id}`;
      await world.as("anon", (me) => me`select private.change_subscription(${subdomain}, ${row!.token}, ${action})`);
    };
    const state = async () => [await counts("subscribed"), await counts("left")];
    expect(await state()).toEqual([{}, {}]);
    await change("leave");
    expect(await state()).toEqual([{}, {}]);
    await tx`update public.subscribers set status = 'pending' where id = ${reader!.id}`;
    for (const action of ["confirm", "confirm"]) await change(action);
    expect(await state()).toEqual([{ page: 1 }, {}]);
    for (const action of ["leave", "leave"]) await change(action);
    expect(await state()).toEqual([{ page: 1 }, { page: 1 }]);
    await change("return");
    await tx`update public.subscribers set frequency = 'weekly', last_digest_at = now() where id = ${reader!.id}`;
    expect(await state()).toEqual([{ page: 2 }, { page: 1 }]);
    await change("erase");
    expect(await state()).toEqual([{ page: 2 }, { page: 2 }]);
    await tx`insert into public.subscribers (workspace_id, email) values (${acme}, 'never@example.com')`;
    await tx`delete from public.subscribers where workspace_id = ${acme}`;
    expect(await state()).toEqual([{ page: 2 }, { page: 2 }]);
  });
});

test("a day later the database stores nothing that identifies a reader", async ({ world }) => {
  const { tx } = world;
  const { told, rollUp } = await openWithPost(world);
  await tx`delete from private.view_salts`;
  await tx`delete from private.view_readers`;
  const [address, agent] = ["198.51.100.207", `${browser} Kestrel/9.71`];
  const of = { address, agent };
  const all: Told[] = [
    { ...of, country: "DE", language: "de", source: "mail" },
    ...["widget_shown", "widget_open", "link_click"].map((what) => ({ ...of, what })),
    { ...of, what: "referrer", name: "kestrel-host.example" },
    { ...of, what: "search_none", name: "kestrel nest" },
    { ...of, what: "search_none", name: "me@kestrel.example" },
  ];
  expect(await told(...all)).toBe(6);
  const holding = async (text: string): Promise<string[]> => {
    const tables = await tx<{ name: string }[]>`select format('%I.%I', n.nspname, c.relname) as name from pg_class c
        join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p') and n.nspname in ('public', 'private', 'auth', 'storage', 'realtime')`;
    const found: string[] = [];
    for (const { name } of tables) {
      const [row] = await tx.unsafe(`select exists (select from ${name} t where strpos(t::text, $1) > 0) as there`, [text]);
      if (row!.there) found.push(name);
    }
    return found.toSorted();
  };
  const secrets = async () => {
    const rows = await tx`select salt as secret from private.view_salts union all select reader from private.view_readers`;
    return rows.map(({ secret }) => (secret as Buffer).toString("hex"));
  };
  const made = await secrets();
  expect(made.length).toBeGreaterThan(6);
  for (const text of [address, "Kestrel/9.71", "me@kestrel.example"]) expect([text, await holding(text)]).toEqual([text, []]);
  expect(await holding("kestrel nest")).toEqual(["private.count_queue"]);

  for (const table of ["view_salts", "view_readers", "count_queue"]) await tx.unsafe(`update private.${table} set day = day - 1`);
  await tx`update private.rate_limits set full_at = full_at - interval '1 day'`;
  await rollUp();
  await tx`select private.tidy_up()`;
  expect(await holding("kestrel nest")).toEqual(["public.daily_counts"]);
  for (const text of [address, "Kestrel/9.71", "kestrel.example", ...made]) expect([text, await holding(text)]).toEqual([text, []]);
  expect(await tx`select from private.rate_limits where bucket = 'reading.address'`).toHaveLength(0);
});
