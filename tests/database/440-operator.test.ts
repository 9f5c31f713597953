import { describe, expect } from "vitest";
import { suspensionMessageMaxLength } from "#contract/limits.ts";
import { z } from "zod";
import { operatorOverview, operatorPerson, operatorWorkspace } from "#contract/operator.ts";
import { version } from "#contract/version.ts";
import { sendEmails } from "./support/emails.ts";
import { forbiddenByGrant, outcome } from "./support/refusal.ts";
import { everybody, inDays, type Person, type World, test, testEach } from "./support/world.ts";

const ask = ({ as }: World, person: Person | "anon", call: string, search = "", page = 1) =>
  as(
    person,
    async (me) => (await me.unsafe(`select public.${call} as said`, call.includes("$1") ? [search, page] : []))[0]!.said as object,
  );
const overview = async (world: World) => operatorOverview.parse({ version, ...(await ask(world, "stranger", "operator_overview()")) });
const list = z.object({ total: z.int(), workspaces: z.array(operatorWorkspace).default([]), people: z.array(operatorPerson).default([]) });
const workspaces = async (world: World, search?: string, page?: number) =>
  list.parse(await ask(world, "stranger", "operator_workspaces($1, $2)", search, page));
const people = async (world: World, search?: string, page?: number) =>
  list.parse(await ask(world, "stranger", "operator_people($1, $2)", search, page));
const makeOperator = ({ tx, people }: World) => tx`insert into private.operators (user_id) values (${people.stranger})`;

describe("the operator's page", () => {
  testEach([...everybody, "anon" as const])("and its calls are closed to everyone else: %s", async (world, person) => {
    const calls = [
      "operator_overview()",
      "operator_workspaces($1, $2)",
      "operator_people($1, $2)",
      `operator_sign_up_link('${world.people.rival}')`,
      `operator_remove_factors('${world.people.rival}')`,
      `operator_grant_add_on('${world.acme}', 'analytics')`,
      `operator_set_suspension('${world.acme}', true, 'Spam.')`,
      `operator_set_suspension('${world.acme}', false)`,
    ];
    await world.tx`update auth.users set email_confirmed_at = null where id = ${world.people.rival}`;
    const refusal = person === "anon" ? forbiddenByGrant : "not_found";
    for (const call of calls)
      expect([call, await outcome(world.tx.savepoint(() => ask(world, person, call)) as Promise<unknown>)]).toEqual([call, refusal]);
  });

  test("is_operator is true only for the operator", async ({ world }) => {
    const answers = async () => [await ask(world, "stranger", "is_operator()"), await ask(world, "owner", "is_operator()")];
    expect(await answers()).toEqual([false, false]);
    await makeOperator(world);
    expect(await answers()).toEqual([true, false]);
  });

  test("counts members, posts, files, pending and failed jobs, and shows no post", async ({ world }) => {
    const { tx, people: ids, acme, post } = world;
    await makeOperator(world);
    await post({ title: "Secret plan" });
    await tx`insert into storage.objects (bucket_id, name, metadata) values ('post-images', ${`${acme}/a.png`}, '{"size": 1500}')`;
    await tx`insert into private.deliveries (workspace_id, kind, target_id, due_at, state, ended_at, error) values
        (${acme}, 'digest', ${ids.owner}, now(), 'done', now(), null), (${acme}, 'digest', ${ids.owner}, now(), 'failed', now(), 'Refused'),
        (${acme}, 'digest', ${ids.owner}, now(), 'waiting', null, null)`;
    const [owner] = await tx`select email from auth.users where id = ${ids.owner}`;
    const said = [await overview(world), await workspaces(world, owner!.email as string), await people(world, "mixed")] as const;
    const [{ email, jobs }, { workspaces: found }] = said;
    expect(found).toMatchObject([{ id: acme, name: "Acme", owner_email: owner!.email as string, members: 5, posts: 1, file_bytes: 1500 }]);
    expect(said[2].people.find(({ id }) => id === ids.mixed)).toMatchObject({ is_operator: false, is_confirmed: true, workspaces: 2 });
    expect((await people(world, `stranger-${ids.stranger}`)).people).toMatchObject([{ id: ids.stranger, is_operator: true }]);
    expect([email.sent >= 1, email.last_error?.text]).toEqual([true, "Refused"]);
    const emails = jobs.find(({ kind }) => kind === "emails")!;
    expect([emails.waiting >= 1, emails.failed >= 1, emails.oldest_at !== null]).toEqual([true, true, true]);
    expect(JSON.stringify(said)).not.toContain("Secret plan");
  });

  test("excludes what a suspended workspace holds back from what is due", async ({ world }) => {
    const { tx, people: ids, acme } = world;
    await makeOperator(world);
    const due = async () => (await overview(world)).jobs.find(({ kind }) => kind === "emails")!.waiting;
    const before = await due();
    await tx`insert into private.deliveries (workspace_id, kind, target_id, due_at) values (${acme}, 'digest', ${ids.owner}, now())`;
    expect(await due()).toBe(before + 1);
    await tx`update public.workspaces set suspension = '{}' where id = ${acme}`;
    expect(await due()).toBe(before);
  });

  test("lists 10 at a time, newest first, and searches without wildcards", async ({ world }) => {
    const { tx } = world;
    await makeOperator(world);
    await tx`insert into public.workspaces (name, subdomain, created_at)
        select 'Paged_' || n, 'paged-' || n, now() + n * interval '1 second' from generate_series(1, 15) as n`;
    const [first, second, third] = [
      await workspaces(world, "PAGED_"),
      await workspaces(world, "paged_", 2),
      await workspaces(world, "paged_", 3),
    ];
    expect([first.total, second.total, third.total]).toEqual([15, 15, 15]);
    expect([first.workspaces.length, second.workspaces.length, third.workspaces.length]).toEqual([10, 5, 0]);
    expect([first.workspaces[0]!.name, second.workspaces[4]!.name]).toEqual(["Paged_15", "Paged_1"]);
    for (const search of ["paged%", "%", "\\"]) expect([search, (await workspaces(world, search)).total]).toEqual([search, 0]);
  });

  test("shows the disk and the last backup if a server has recorded them", async ({ world }) => {
    await makeOperator(world);
    await world.tx`update private.machine set disk_bytes = null`;
    expect((await overview(world)).machine).toBeNull();
    await world.tx`update private.machine set disk_bytes = 100, free_bytes = 40, backed_up_at = '2026-11-20T09:00Z', backup_bytes = 7`;
    expect((await overview(world)).machine).toEqual({
      ...{ disk_bytes: 100, free_bytes: 40, backed_up_at: "2026-11-20T09:00:00.000Z", backup_bytes: 7 },
    });
  });
});

describe("a sign-up link resent by the operator", () => {
  const link = (world: World, target: string) =>
    outcome(world.tx.savepoint(() => world.as("stranger", (me) => me`select public.operator_sign_up_link(${target})`)) as Promise<unknown>);

  test("is sent to an unconfirmed account, once a minute, and logged", async ({ world }) => {
    const { tx, people: ids } = world;
    await makeOperator(world);
    await tx`update auth.users set email_confirmed_at = null where id = ${ids.rival}`;
    expect([await link(world, ids.rival), await link(world, ids.rival)]).toEqual(["allowed", "rate_limited"]);
    const [rival] = await tx`select email from auth.users where id = ${ids.rival}`;
    expect((await overview(world)).log.slice(0, 1)).toMatchObject([{ kind: "sign_up_link_sent", subject: rival!.email as string }]);
    expect([await link(world, ids.owner), await link(world, world.acme)]).toEqual(["not_found", "not_found"]);
  });
});

describe("an add-on granted by the operator", () => {
  const grant = (world: World, addOn: string | null, workspace = world.acme) =>
    outcome(
      world.tx.savepoint(() =>
        world.as("stranger", (me) => me`select public.operator_grant_add_on(${workspace}, ${addOn})`),
      ) as Promise<unknown>,
    );
  const has = async ({ tx, acme }: World) =>
    (await tx`select add_on from public.workspace_add_ons where workspace_id = ${acme} order by 1`).map((row) => row.add_on as string);

  test("belongs to the workspace, settles its request, and is logged once", async ({ world }) => {
    const { tx, acme } = world;
    await makeOperator(world);
    await tx`update private.installation set grants_upgrades = false`;
    await world.as("owner", (me) => me`select public.request_upgrade(${acme}, ${["analytics"]})`);
    const workspace = async () => (await workspaces(world, "acme")).workspaces.find(({ id }) => id === acme);
    expect(await workspace()).toMatchObject({ add_ons: ["teams"], requested: ["analytics"] });
    expect([await grant(world, "analytics"), await grant(world, "analytics")]).toEqual(["allowed", "allowed"]);
    expect(await workspace()).toMatchObject({ add_ons: ["analytics", "teams"], requested: [] });
    expect(await tx`select from public.upgrade_requests where workspace_id = ${acme} and granted_at is null`).toEqual([]);
    const { log } = await overview(world);
    expect(log.filter(({ subject }) => subject === "Acme")).toMatchObject([
      { operator_name: "stranger", kind: "add_on_granted", details: { add_on: "analytics" } },
    ]);
  });

  test("must exist, and so must the workspace", async ({ world }) => {
    await makeOperator(world);
    expect([await grant(world, "priority-support"), await grant(world, null)]).toEqual(["validation_failed", "validation_failed"]);
    expect(await grant(world, "analytics", world.people.owner)).toBe("not_found");
    expect(await has(world)).toEqual(["teams"]);
  });
});

describe("suspending a workspace", () => {
  const suspend = (world: World, message = "Spam.") =>
    outcome(
      world.tx.savepoint(() =>
        world.as("stranger", (me) => me`select public.operator_set_suspension(${world.acme}, true, ${message})`),
      ) as Promise<unknown>,
    );
  const resume = (world: World) =>
    outcome(
      world.tx.savepoint(() =>
        world.as("stranger", (me) => me`select public.operator_set_suspension(${world.acme}, false)`),
      ) as Promise<unknown>,
    );
  const mailed = async ({ tx, acme }: World) => (await sendEmails(tx, [acme])).map(({ kind }) => kind as string).toSorted();

  test("is logged once, with the message, and its members get a contact", async ({ world }) => {
    const { tx, people, acme, as } = world;
    await makeOperator(world);
    expect([await resume(world), await suspend(world), await suspend(world, "Again.")]).toEqual(["allowed", "allowed", "allowed"]);
    const [operator] = await tx`select email from auth.users where id = ${people.stranger}`;
    for (const person of ["owner", "viewer"] as const) {
      const [seen] = await as(person, (me) => me`select suspension from public.my_workspaces() where id = ${acme}`);
      expect(seen!.suspension).toMatchObject({ message: "Spam.", contact: operator!.email as string });
    }
    expect(await mailed(world)).toEqual(Array.from({ length: 5 }, () => "suspension"));
    expect(await resume(world)).toBe("allowed");
    expect(await mailed(world)).toEqual(Array.from({ length: 5 }, () => "suspension"));
    const { log } = await overview(world);
    expect(log.filter(({ subject }) => subject === "Acme")).toMatchObject([
      { kind: "resumed" },
      { kind: "suspended", details: { message: "Spam." } },
    ]);
  });

  test("sends no email when the suspension is lifted before the email was sent", async ({ world }) => {
    await makeOperator(world);
    await suspend(world);
    await resume(world);
    expect(await mailed(world)).toEqual([]);
  });

  test("limits the message's length", async ({ world }) => {
    await makeOperator(world);
    expect(await suspend(world, "x".repeat(suspensionMessageMaxLength + 1))).toBe("validation_failed");
    expect(await suspend(world, "x".repeat(suspensionMessageMaxLength))).toBe("allowed");
  });

  test("hides it from readers, keeps its domain, and is undone immediately when lifted", async ({ world }) => {
    const { tx, acme, as, post } = world;
    await makeOperator(world);
    await as("owner", (me) => me`select public.change_workspace(${acme}, '{"public_changelog_enabled": true}')`);
    await post({ status: "published" });
    await tx`insert into public.workspace_add_ons (workspace_id, add_on) values (${acme}, 'custom-domain')`;
    const host = `${acme}.example`;
    await tx`insert into public.domains (host, shown, workspace_id, state) values (${host}, ${host}, ${acme}, 'live')`;
    const [{ label }] = (await tx`select subdomain::text as label from public.workspaces where id = ${acme}`) as unknown as [
      { label: string },
    ];
    const seen = () =>
      as("anon", async (me) => {
        const [row] = await me`select private.public_version(${label}) as version, private.workspace_of_host(${host}) as subdomain,
            (select count(*)::int from private.list_releases(${label})) as releases,
            (select count(*)::int from private.find_workspace(${label})) as workspaces`;
        return row as unknown as { version: string; subdomain: string; releases: number; workspaces: number };
      });
    const before = await seen();
    expect(before).toMatchObject({ subdomain: label, releases: 1, workspaces: 1 });
    await suspend(world);
    expect(await seen()).toEqual({ version: "suspended", subdomain: label, releases: 0, workspaces: 0 });
    expect(await tx`select from private.visible_posts where workspace_id = ${acme}`).toEqual([]);
    await resume(world);
    const after = await seen();
    expect(after).toEqual({ ...before, version: after.version });
    expect(after.version).not.toBe(before.version);
  });

  test("refuses changes with a reason, and invitations admit no one", async ({ world }) => {
    const { tx, acme, as, post } = world;
    await makeOperator(world);
    const { id } = await post();
    const [invite] = await as("owner", (me) => me`select token from public.create_invite(${acme}, 'editor')`);
    const accept = () =>
      outcome(tx.savepoint(() => as("rival", (me) => me`select public.accept_invite(${invite!.token as string})`)) as Promise<unknown>);
    const save = () =>
      outcome(tx.savepoint(() => as("editor", (me) => me`select public.save_post(${id}, '{"title": "Other"}')`)) as Promise<unknown>);
    await suspend(world);
    expect([await save(), await accept()]).toEqual(["workspace_suspended", "invalid_invitation"]);
    await resume(world);
    expect([await save(), await accept()]).toEqual(["allowed", "allowed"]);
  });

  test("pauses publishing, emails and webhooks until it is lifted", async ({ world }) => {
    const { tx, people, acme, as, post } = world;
    await makeOperator(world);
    await as("owner", (me) => me`select public.change_workspace(${acme}, '{"public_changelog_enabled": true}')`);
    await tx`update public.mail_settings set enabled = true, undo_minutes = 0 where workspace_id = ${acme}`;
    await tx`insert into public.subscribers (workspace_id, email, status, frequency, confirmed_at, last_digest_at)
        values (${acme}, 'now@reader.example', 'active', 'instant', now(), now()), (${acme}, 'daily@reader.example', 'active', 'daily', now(), now() - interval '3 days')`;
    const [hook] = await tx`insert into private.webhooks (workspace_id, kind, url, sealed, events)
        values (${acme}, 'webhook', 'https://hooks.example/', ${"x".repeat(40)}, '{post.published}') returning id`;
    const [event] = await tx`insert into private.webhook_events (workspace_id, kind) values (${acme}, 'webhook.ping') returning id`;
    await tx`select private.queue_delivery(${event!.id as string}, w, false) from private.webhooks w where w.id = ${hook!.id as string}`;
    const { id: due } = await post({ status: "scheduled", publish_at: inDays(1) });
    await post({ status: "published", title: "Out" });
    await tx`update private.events set happened_at = now() - interval '2 days' where workspace_id = ${acme}`;
    await tx`insert into private.deliveries (workspace_id, kind, target_id) values (${acme}, 'backup_failed', ${people.owner})`;
    await suspend(world);
    await mailed(world);
    await tx`set local session_replication_role = replica`; // it becomes due without an update
    await tx`update public.posts set publish_at = now() - interval '1 minute' where id = ${due}`;
    await tx`set local session_replication_role = origin`;
    const work = async () => {
      await tx`select private.publish_due_posts(), public.enqueue_digests()`;
      const sent = await tx`select w.type from public.work_jobs('[]', '{"send_webhook": 100}') j, public.webhook_to_send(j.id) w
        where w.webhook_id = ${hook!.id as string}`;
      const [{ status }] = (await tx`select status from public.posts where id = ${due}`) as unknown as [{ status: string }];
      return { status, mails: (await mailed(world)).filter((kind) => kind !== "suspension"), webhooks: sent.length };
    };
    expect(await work()).toEqual({ status: "scheduled", mails: [], webhooks: 0 });
    await resume(world);
    const after = await work();
    expect(after).toMatchObject({ status: "published", webhooks: expect.any(Number) as number });
    expect(after.webhooks).toBeGreaterThan(0);
    expect(after.mails).toEqual(expect.arrayContaining(["backup_failed", "digest", "post"]));
  });
});
