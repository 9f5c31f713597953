import type { TransactionSql } from "postgres";
import { describe, expect } from "vitest";
import { asKey, type Key, newKey } from "./support/as-key.ts";
import { committedAs, withWorkspace } from "./support/committed.ts";
import { connect } from "./support/database.ts";
import { outcome, refused } from "./support/refusal.ts";
import { inDays, newPerson, type Person, words, type World, test, testEach } from "./support/world.ts";

const sql = connect(8);

type Rule = "off" | "editors" | "all";
const setRule = ({ as, acme }: World, rule: Rule, who: Person = "owner") =>
  as(who, (me) => me`select public.set_review_rule(${acme}, ${rule})`);
const save = (me: TransactionSql, post: string, patch: object, version: number | null = null) =>
  me`select status, version from public.save_post(${post}, ${patch as never}, ${version})`;
const ask = async (me: TransactionSql, post: string, version: number, at: Date | null = null) =>
  (await me`select public.ask_review(${post}, ${version}, ${at}) as review`)[0]!.review as { id: string; state: string };
const decide = (me: TransactionSql, post: string, review: string, version: number, decision = "approve") =>
  me`select public.decide_review(${post}, ${review}, ${version}, ${decision}) as answer`;
const stateOf = async ({ tx }: World, review: string) =>
  (await tx`select state from private.reviews where id = ${review}`)[0]!.state as string;
const postOf = async ({ tx }: World, post: string) => (await tx`select * from public.posts where id = ${post}`)[0]!;
async function asked(world: World, at: Date | null = null) {
  const post = await world.post();
  const [saved] = await world.as("editor", (me) => save(me, post.id, { content_raw: words("By the editor.") }));
  const version = saved!.version as number;
  const review = await world.as("editor", (me) => ask(me, post.id, version, at));
  return { post: post.id, version, review: review.id };
}

describe("the approval rule", () => {
  const needs: Record<Rule, Person[]> = { off: [], editors: ["editor", "mixed"], all: ["admin", "editor", "mixed"] };
  for (const rule of ["off", "editors", "all"] as const) {
    test(`${rule}: a user who needs approval can't make a post public`, async ({ world }) => {
      await setRule(world, rule);
      for (const who of ["owner", "admin", "editor", "mixed"] as const) {
        const verdict = needs[rule].includes(who) ? "review_required" : "allowed";
        const draft = () => world.post().then(({ id }) => id);
        const play = (work: (me: TransactionSql, post: string) => PromiseLike<unknown>) =>
          draft().then((post) => outcome(world.as(who, async (me) => await work(me, post))));
        const ways = {
          publish: await play((me, post) => save(me, post, { status: "published" })),
          schedule: await play((me, post) => save(me, post, { publish_at: inDays(1) })),
          "by hand": await play((me, post) => me`update public.posts set status = 'published' where id = ${post}`),
          "a time by hand": await play((me, post) => me`update public.posts set publish_at = ${inDays(1)} where id = ${post}`),
          new: await play((me) => me`select public.create_post(${world.acme}, 'New', ${words("x") as never}, status => 'published')`),
          "new by hand": await play(
            (me) =>
              me`insert into public.posts (workspace_id, title, content_raw, status) values (${world.acme}, 'New', ${words("x") as never}, 'published')`,
          ),
          "new and scheduled": await play(
            (me) => me`select public.create_post(${world.acme}, 'New', ${words("x") as never}, publish_at => ${inDays(1)})`,
          ),
          "by a name": await play(
            (me) =>
              me`select public.put_post(${world.acme}, ${`v-${who}`}, ${{ title: "T", content_raw: words("x"), status: "published" } as never})`,
          ),
        };
        expect({ who, ...ways }).toEqual({ who, ...Object.fromEntries(Object.keys(ways).map((way) => [way, verdict])) });
        expect(await play((me, post) => save(me, post, { title: "A draft is everybody's" }))).toBe("allowed");
      }
    });
  }

  test("keeps public posts public, and lets them be unpublished and restored", async ({ world }) => {
    const post = await world.post({ status: "published", tags: ["fix"] });
    await setRule(world, "editors");
    const patches = [
      ...[{ title: "Other" }, { summary: "Other" }, { content_raw: words("Other.") }, { tags: ["docs"] }, { slug: "other" }],
      ...[{ cover_image: "none" }, { published_at: "2020-01-01T00:00:00Z" }, { author_id: world.people.admin }],
    ];
    for (const patch of patches) {
      expect({ patch, outcome: await outcome(world.as("editor", (me) => save(me, post.id, patch))) }).toEqual({
        patch,
        outcome: "review_required",
      });
    }
    expect(await outcome(world.as("editor", (me) => save(me, post.id, {})))).toBe("allowed");
    expect(await outcome(world.as("editor", (me) => me`select public.delete_tag(${world.acme}, 'fix', 'docs')`))).toBe("allowed");
    expect((await postOf(world, post.id)).tags).toEqual(["docs"]);
    const [gone] = await world.as("editor", (me) => me`select version from public.save_post(${post.id}, '{"status": "archived"}')`);
    const [back] = await world.as("editor", (me) => me`select status from public.undo_archive(${post.id}, ${gone!.version})`);
    expect(back!.status).toBe("published");
    await world.as("editor", (me) => me`select public.save_post(${post.id}, '{"status": "archived"}')`);
    await world.as("editor", (me) => save(me, post.id, { status: "draft" }));
    expect(await outcome(world.as("editor", (me) => save(me, post.id, { status: "published" })))).toBe("review_required");
  });

  test("applies to a due post before the publisher has run", async ({ world }) => {
    const { id } = await world.post({ status: "scheduled", publish_at: inDays(1) });
    await setRule(world, "editors");
    await world.tx`alter table public.posts disable trigger user`;
    await world.tx`update public.posts set publish_at = now() - interval '1 minute' where id = ${id}`;
    await world.tx`alter table public.posts enable trigger user`;
    expect(await outcome(world.as("editor", (me) => save(me, id, { title: "Other" })))).toBe("review_required");
    await world.tx`select private.publish_due_posts()`;
    expect((await postOf(world, id)).status).toBe("published");
  });
});

describe("an approval", () => {
  test("publishes the requested version, or schedules it", async ({ world }) => {
    await setRule(world, "all");
    const now = await asked(world);
    const [{ answer }] = (await world.as("admin", (me) => decide(me, now.post, now.review, now.version))) as unknown as [{ answer: never }];
    expect(answer).toMatchObject({ review: { state: "approved", decided_by_name: "admin" }, post: { status: "published" } });
    const then = inDays(2);
    const later = await asked(world, then);
    await world.as("owner", (me) => decide(me, later.post, later.review, later.version));
    expect(await postOf(world, later.post)).toMatchObject({ status: "scheduled", publish_at: then });
    const kinds =
      await world.tx`select kind from private.audit_log where workspace_id = ${world.acme} and kind like 'review_a%' order by id`;
    expect(kinds.map(({ kind }) => kind)).toEqual(["review_asked", "review_approved", "review_asked", "review_approved"]);
  });

  test("can't come from the requester, the version's author, editors, viewers, strangers or keys", async ({ world }) => {
    await setRule(world, "all");
    const { post, version, review } = await asked(world);
    for (const who of ["editor", "viewer", "mixed"] as const) {
      expect(await outcome(world.as(who, (me) => decide(me, post, review, version)))).toBe("forbidden");
    }
    for (const who of ["rival", "stranger"] as const) {
      expect(await outcome(world.as(who, (me) => decide(me, post, review, version)))).toBe("not_found");
    }
    expect(await outcome(world.as("anon", (me) => decide(me, post, review, version)))).toBe("42501");
    await world.tx`update public.members set role = 'admin' where user_id = ${world.people.editor}`;
    expect(await outcome(world.as("editor", (me) => decide(me, post, review, version)))).toBe("own_review");
    const key = await newKey(world.tx, world.people.admin, world.acme);
    expect(await outcome(asKey(world.tx, key, "decide_review", (me) => decide(me, post, review, version)))).toBe("forbidden");

    const [mine] = await world.as("admin", (me) => save(me, post, { title: "By the administrator" }));
    const again = await world.as("editor", (me) => ask(me, post, mine!.version as number));
    expect(await outcome(world.as("admin", (me) => decide(me, post, again.id, mine!.version as number)))).toBe("own_review");
    expect(await outcome(world.as("owner", (me) => decide(me, post, again.id, mine!.version as number)))).toBe("allowed");
  });

  test("is void with any change, and the request is repeated", async ({ world }) => {
    await setRule(world, "editors");
    const { post, version, review } = await asked(world);
    await world.as("mixed", (me) => save(me, post, { title: "Changed meanwhile" }));
    expect(await stateOf(world, review)).toBe("void");
    expect(await outcome(world.as("admin", (me) => decide(me, post, review, version)))).toBe("version_conflict");
    expect(await outcome(world.as("admin", (me) => decide(me, post, review, version + 1)))).toBe("version_conflict");
    expect(await outcome(world.as("editor", (me) => ask(me, post, version)))).toBe("version_conflict");
    const second = await world.as("editor", (me) => ask(me, post, version + 1));
    const third = await world.as("mixed", (me) => ask(me, post, version + 1));
    expect([await stateOf(world, second.id), await stateOf(world, third.id)]).toEqual(["withdrawn", "waiting"]);
  });

  test("of a scheduled post ends with an unapproved change: it is a draft again, with a logged reason", async ({ world }) => {
    await setRule(world, "editors");
    const { post, version, review } = await asked(world, inDays(2));
    await world.as("admin", (me) => decide(me, post, review, version));
    const [saved] = await world.as("editor", (me) => save(me, post, { title: "One more word" }));
    expect(saved!.status).toBe("draft");
    expect(await stateOf(world, review)).toBe("void");
    expect(await postOf(world, post)).toMatchObject({ status: "draft", publish_at: null, title: "One more word" });
    const [line] = await world.tx`select kind, actor_id from public.activities where post_id = ${post} order by id desc limit 1`;
    expect(line).toEqual({ kind: "post_unapproved", actor_id: world.people.editor });
    expect(await outcome(world.as("editor", (me) => save(me, post, { publish_at: inDays(2) })))).toBe("review_required");
  });

  test("ends with its giver's role: the scheduled post is a draft again", async ({ world }) => {
    await setRule(world, "all");
    for (const departure of ["set_member_role", "remove_member", "leave_workspace"] as const) {
      const { post, version, review } = await asked(world, inDays(2));
      await world.as("admin", (me) => decide(me, post, review, version));
      const calls = {
        set_member_role: (me: TransactionSql) => me`select public.set_member_role(${world.acme}, ${world.people.admin}, 'editor')`,
        remove_member: (me: TransactionSql) => me`select public.remove_member(${world.acme}, ${world.people.admin})`,
        leave_workspace: (me: TransactionSql) => me`select public.leave_workspace(${world.acme})`,
      };
      await world.as(departure === "leave_workspace" ? "admin" : "owner", calls[departure]);
      expect([await stateOf(world, review), (await postOf(world, post)).status]).toEqual(["void", "draft"]);
      await world.tx`insert into public.members (workspace_id, user_id, role) values (${world.acme}, ${world.people.admin}, 'admin')
          on conflict on constraint members_pkey do update set role = 'admin'`;
    }
  });

  test("is consumed by the publication", async ({ world }) => {
    await setRule(world, "editors");
    const { post, version, review } = await asked(world);
    await world.as("admin", (me) => decide(me, post, review, version));
    await world.as("owner", (me) => save(me, post, { title: "Changed while it is read" }));
    expect(await stateOf(world, review)).toBe("approved");
    await world.as("editor", (me) => me`select public.save_post(${post}, '{"status": "archived"}')`);
    await world.as("editor", (me) => save(me, post, { status: "draft" }));
    expect(await outcome(world.as("editor", (me) => save(me, post, { status: "published" })))).toBe("review_required");
    expect(await outcome(world.as("admin", (me) => decide(me, post, review, version)))).toBe("review_over");
  });

  test("can be refused with a note, and withdrawn by the requester only", async ({ world }) => {
    await setRule(world, "editors");
    const { post, version, review } = await asked(world);
    const withdraw = (who: Person) => world.as(who, (me) => me`select public.withdraw_review(${post}, ${review})`);
    for (const who of ["admin", "owner", "mixed"] as const) expect(await outcome(withdraw(who))).toBe("forbidden");
    await world.as("admin", (me) => me`select public.decide_review(${post}, ${review}, ${version}, 'refuse', '  Say why. ')`);
    expect(await outcome(withdraw("editor"))).toBe("review_over");
    const [row] = await world.tx`select state, decision_note from private.reviews where id = ${review}`;
    expect(row).toEqual({ state: "refused", decision_note: "Say why." });
    expect((await postOf(world, post)).status).toBe("draft");
    const again = await world.as("editor", (me) => ask(me, post, version));
    await world.as("editor", (me) => me`select public.withdraw_review(${post}, ${again.id})`);
    expect(await outcome(world.as("admin", (me) => decide(me, post, again.id, version)))).toBe("review_over");
  });

  test("can't be requested for an invalid post", async ({ world }) => {
    const empty = await world.post({ content_raw: { blocks: [] } });
    const inThePast = world.as("editor", (me) => ask(me, empty.id, 1, inDays(-1)));
    expect((await refused(inThePast)).detail).toEqual({
      content_raw: "Content is required",
      publish_at: "Please choose a time in the future",
    });
    const live = await world.post({ status: "published" });
    expect(await outcome(world.as("editor", (me) => ask(me, live.id, 1)))).toBe("published_post_locked");
    const [{ version }] = (await world.as(
      "owner",
      (me) => me`select version from public.save_post(${live.id}, '{"status": "archived"}')`,
    )) as unknown as [{ version: number }];
    expect(await outcome(world.as("editor", (me) => ask(me, live.id, version)))).toBe("archived_post_locked");
    const draft = await world.post();
    expect(await outcome(world.as("viewer", (me) => ask(me, draft.id, 1)))).toBe("forbidden");
    expect(await outcome(world.as("rival", (me) => ask(me, draft.id, 1)))).toBe("not_found");
    const long = world.as("editor", (me) => me`select public.ask_review(${draft.id}, 1, null, ${"x".repeat(2_001)})`);
    expect((await refused(long)).detail).toEqual({ note: "A note can have at most 2,000 characters" });
  });

  test("can be requested by keys, which never decide, and neither do their makers", async ({ world }) => {
    const key = await newKey(world.tx, world.people.admin, world.acme, ["posts:read", "posts:write"]);
    const { id } = await world.post();
    expect(await outcome(asKey(world.tx, key, "save_post", (me) => save(me, id, { status: "published" })))).toBe("scope_missing");
    const review = await asKey(world.tx, key, "ask_review", (me) => ask(me, id, 1));
    expect(await outcome(world.as("admin", (me) => decide(me, id, review.id, 1)))).toBe("own_review");
    expect(await outcome(world.as("owner", (me) => decide(me, id, review.id, 1)))).toBe("own_review");
    const second = await newPerson(world.tx, "second");
    await world.tx`insert into public.members (workspace_id, user_id, role) values (${world.acme}, ${second}, 'admin')`;
    const { asPerson } = await import("./support/as-person.ts");
    expect(await outcome(asPerson(world.tx, second, (me) => decide(me, id, review.id, 1)))).toBe("allowed");
    expect((await postOf(world, id)).status).toBe("published");
    const other = await world.post({ workspace_id: world.globex });
    expect(await outcome(asKey(world.tx, key, "ask_review", (me) => ask(me, other.id, 1)))).toBe("not_found");
  });

  test("is listed for those who can give it", async ({ world }) => {
    const { review } = await asked(world);
    const list = async (who: Person) =>
      (
        (await world.as(who, (me) => me`select public.waiting_for_me(${world.acme}) as list`))[0]!.list as { reviews: { id: string }[] }
      ).reviews.map(({ id }) => id);
    expect(await list("admin")).toEqual([review]);
    expect(await list("owner")).toEqual([review]);
    expect(await list("editor")).toEqual([]);
    expect(await list("viewer")).toEqual([]);
    expect(await outcome(list("rival"))).toBe("not_found");
  });
});

describe("review emails", () => {
  test("go to possible approvers, then to the requester", async ({ world }) => {
    const mails = async () =>
      (
        await world.tx`select d.kind, u.email::text as email, d.data from private.deliveries d join auth.users u on u.id = d.target_id
          where d.workspace_id = ${world.acme} order by d.kind, u.email`
      ).map(({ kind, email, data }) => [
        kind,
        (email as string).split("-")[0],
        (data as { text: string | null; decision?: string }).decision ?? (data as { text: string | null }).text,
      ]);
    const { post, version, review } = await asked(world);
    const again = await world.as("editor", (me) => ask(me, post, version));
    expect(await mails()).toEqual([
      ["review_asked", "admin", null],
      ["review_asked", "owner", null],
    ]);
    expect(await outcome(world.as("admin", (me) => decide(me, post, review, version)))).toBe("review_over");
    await world.as("admin", (me) => decide(me, post, again.id, version));
    expect((await mails()).slice(2)).toEqual([["review_decided", "editor", "approved"]]);
  });
});

describe("a proposal", () => {
  const content = (text: string) => ({ title: "Proposed", summary: null, tags: ["fix"], content_raw: words(text) });
  const propose = async (me: TransactionSql, post: string, version: number, text = "Proposed words.") =>
    (await me`select public.propose_change(${post}, ${version}, ${content(text) as never}) as proposal`)[0]!.proposal as { id: string };
  const accept = (me: TransactionSql, post: string, proposal: string, decision = "approve") =>
    me`select public.decide_proposal(${post}, ${proposal}, ${decision}) as answer`;

  test("changes nothing until another user accepts it", async ({ world }) => {
    const { id } = await world.post({ status: "published" });
    await setRule(world, "all");
    const { id: proposal } = await world.as("editor", (me) => propose(me, id, 1));
    expect(await postOf(world, id)).toMatchObject({ version: 1, title: "Dark mode" });
    for (const who of ["editor", "viewer", "mixed"] as const) {
      expect(await outcome(world.as(who, (me) => accept(me, id, proposal)))).toBe("forbidden");
    }
    await world.as("admin", (me) => accept(me, id, proposal));
    expect(await postOf(world, id)).toMatchObject({ version: 2, title: "Proposed", status: "published", tags: ["fix"] });
    expect(await outcome(world.as("owner", (me) => accept(me, id, proposal)))).toBe("review_over");
  });

  test("can't be accepted by its author, on another version, or when changed unseen", async ({ world }) => {
    const { id } = await world.post({ status: "published" });
    await setRule(world, "all");
    const mine = await world.as("admin", (me) => propose(me, id, 1));
    expect(await outcome(world.as("admin", (me) => accept(me, id, mine.id)))).toBe("own_review");
    await world.as("owner", (me) => save(me, id, { title: "The owner's" }));
    expect((await refused(world.as("owner", (me) => accept(me, id, mine.id)))).code).toBe("version_conflict");
    const change = (who: Person, version: number) =>
      world.as(
        who,
        (me) => me`select public.propose_change(${id}, ${version}, ${content("Brought up to date.") as never}, proposal_id => ${mine.id})`,
      );
    expect(await outcome(change("owner", 2))).toBe("forbidden");
    expect(await outcome(change("admin", 3))).toBe("version_conflict");
    const seen = new Date(Date.now() - 60_000);
    expect(await outcome(change("admin", 2))).toBe("allowed");
    const unseen = world.as("owner", (me) => me`select public.decide_proposal(${id}, ${mine.id}, 'approve', null, ${seen})`);
    expect(await outcome(unseen)).toBe("version_conflict");
    expect(await outcome(world.as("owner", (me) => accept(me, id, mine.id)))).toBe("allowed");
  });

  test("belongs to a public or scheduled post, isn't empty, and is visible to the team only", async ({ world }) => {
    const draft = await world.post();
    expect((await refused(world.as("editor", (me) => propose(me, draft.id, 1)))).detail).toEqual({
      version: "You can only propose changes to a published or scheduled post",
    });
    const { id } = await world.post({ status: "published" });
    expect(await outcome(world.as("viewer", (me) => propose(me, id, 1)))).toBe("forbidden");
    expect(await outcome(world.as("rival", (me) => propose(me, id, 1)))).toBe("not_found");
    expect(await outcome(world.as("editor", (me) => propose(me, id, 2)))).toBe("version_conflict");
    const nothing = world.as(
      "editor",
      (me) => me`select public.propose_change(${id}, 1, ${{ title: " ", tags: [], content_raw: { blocks: [] } } as never})`,
    );
    expect((await refused(nothing)).detail).toEqual({ title: "Title is required", content_raw: "Content is required" });
    const { id: proposal } = await world.as("editor", (me) => propose(me, id, 1));
    const read = (who: Person) => world.as(who, (me) => me`select public.read_proposal(${id}, ${proposal})`);
    expect(await outcome(read("viewer"))).toBe("allowed");
    expect(await outcome(read("rival"))).toBe("not_found");
    const withdraw = (who: Person) => world.as(who, (me) => me`select public.withdraw_proposal(${id}, ${proposal})`);
    expect(await outcome(withdraw("owner"))).toBe("forbidden");
    expect(await outcome(withdraw("editor"))).toBe("allowed");
    expect(await outcome(withdraw("editor"))).toBe("review_over");
  });

  test("of a scheduled post changes it and keeps the schedule, unless the accepting user needs approval", async ({ world }) => {
    for (const [rule, who, status] of [
      ["off", "admin", "scheduled"],
      ["editors", "admin", "scheduled"],
      ["all", "owner", "scheduled"],
      ["all", "admin", "draft"],
    ] as const) {
      await setRule(world, "off");
      const { id } = await world.post({ status: "scheduled", publish_at: inDays(3) });
      await setRule(world, rule);
      const { id: proposal } = await world.as("editor", (me) => propose(me, id, 1));
      expect((await postOf(world, id)).version).toBe(1);
      const waits = await world.as("admin", (me) => me`select public.waiting_for_me(${world.acme}) as list`);
      expect((waits[0]!.list as { proposals: { id: string }[] }).proposals.map((one) => one.id)).toContain(proposal);
      await world.as(who, (me) => accept(me, id, proposal));
      expect([rule, who, await postOf(world, id)]).toMatchObject([rule, who, { title: "Proposed", status }]);
    }
  });

  test("of a key can be read and withdrawn by this key, and by its maker, whose edit takes it over", async ({ world }) => {
    const { id } = await world.post({ status: "published" });
    const key = await newKey(world.tx, world.people.admin, world.acme);
    const other = await newKey(world.tx, world.people.admin, world.acme);
    const reads = (key: Key, proposal: string) =>
      outcome(asKey(world.tx, key, "read_proposal", (me) => me`select public.read_proposal(${id}, ${proposal})`));
    const withdraws = (key: Key, proposal: string) =>
      outcome(asKey(world.tx, key, "withdraw_proposal", (me) => me`select public.withdraw_proposal(${id}, ${proposal})`));
    const mine = await world.as("admin", (me) => propose(me, id, 1));
    const first = await asKey(world.tx, key, "propose_change", (me) => propose(me, id, 1));
    expect(first.id).not.toBe(mine.id);
    expect([await reads(key, first.id), await reads(other, first.id), await reads(key, mine.id)]).toEqual([
      "allowed",
      "not_found",
      "not_found",
    ]);
    expect([await withdraws(other, first.id), await withdraws(key, mine.id)]).toEqual(["forbidden", "forbidden"]);
    expect(await withdraws(key, first.id)).toBe("allowed");
    const second = await asKey(world.tx, key, "propose_change", (me) => propose(me, id, 1));
    expect(second.id).not.toBe(first.id);
    const changed = world.as(
      "admin",
      (me) => me`select public.propose_change(${id}, 1, ${content("By hand.") as never}, proposal_id => ${second.id})`,
    );
    expect(await outcome(changed)).toBe("allowed");
    const third = await asKey(world.tx, key, "propose_change", (me) => propose(me, id, 1, "Not over what she wrote."));
    expect(third.id).not.toBe(second.id);
    expect(await withdraws(key, second.id)).toBe("forbidden");
    const theirs = await world.post({ workspace_id: world.globex, status: "published" });
    expect(await outcome(asKey(world.tx, key, "propose_change", (me) => propose(me, theirs.id, 1)))).toBe("not_found");
    const reader = await newKey(world.tx, world.people.admin, world.acme, ["posts:read", "posts:publish"]);
    expect(await outcome(asKey(world.tx, reader, "propose_change", (me) => propose(me, id, 1)))).toBe("scope_missing");
    await world.tx`update public.members set role = 'viewer' where workspace_id = ${world.acme} and user_id = ${world.people.admin}`;
    expect(await outcome(asKey(world.tx, key, "propose_change", (me) => propose(me, id, 1)))).toBe("forbidden");
  });
});

describe("undoing an archiving", () => {
  const archive = async (me: TransactionSql, post: string) =>
    (await me`select version from public.save_post(${post}, '{"status": "archived"}')`)[0]!.version as number;
  const undo = (me: TransactionSql, post: string, version: number) => me`select public.undo_archive(${post}, ${version})`;

  testEach(["off", "all"] as const)("(%s) reschedules a formerly published post without publishing it", async (world, rule) => {
    const { id } = await world.post({ status: "published" });
    await world.as("editor", (me) => archive(me, id));
    await world.as("editor", (me) => save(me, id, { status: "draft" }));
    await setRule(world, rule);
    const [saved] = await world.as("editor", (me) => save(me, id, { content_raw: words("Not before its time.") }));
    const version = saved!.version as number;
    const at = inDays(3);
    const review = await world.as("editor", (me) => ask(me, id, version, at));
    await world.as("admin", (me) => decide(me, id, review.id, version));
    const archived = await world.as("editor", (me) => archive(me, id));
    await world.as("editor", (me) => undo(me, id, archived));
    expect(await postOf(world, id)).toMatchObject({ status: "scheduled", publish_at: at });
  });

  test("is allowed for one's own, to a user who needs approval", async ({ world }) => {
    const [own, others] = [await world.post({ status: "published" }), await world.post({ status: "published" })];
    await setRule(world, "all");
    const version = await world.as("editor", (me) => archive(me, own.id));
    const taken = await world.as("owner", (me) => archive(me, others.id));
    expect(await outcome(world.as("editor", (me) => undo(me, others.id, taken)))).toBe("review_required");
    expect(await outcome(world.as("owner", (me) => undo(me, others.id, taken)))).toBe("allowed");
    expect(await outcome(world.as("editor", (me) => undo(me, own.id, version)))).toBe("allowed");
    expect((await postOf(world, own.id)).status).toBe("published");
  });
});

describe("at the same time", () => {
  const withAsked = (
    others: number,
    play: (place: { workspace: string; owner: string; people: string[]; post: string; review: string }) => Promise<void>,
  ) =>
    withWorkspace(sql, others + 1, async ({ owner, workspace, people }) => {
      await sql`insert into public.members (workspace_id, user_id, role)
        select ${workspace}, p.id, case when p.place = 1 then 'editor' else 'admin' end::public.member_role from unnest(${people}::uuid[]) with ordinality as p (id, place)`;
      await committedAs(sql, owner, (me) => me`select public.set_review_rule(${workspace}, 'all')`);
      const [made] = await committedAs(
        sql,
        people[0]!,
        (me) => me`select id from public.create_post(${workspace}, 'Race', ${words("x") as never})`,
      );
      const review = await committedAs(sql, people[0]!, (me) => ask(me, made!.id as string, 1));
      await play({ workspace, owner, people, post: made!.id as string, review: review.id });
    });

  test("one of four approvals wins", () =>
    withAsked(4, async ({ people, post, review }) => {
      const outcomes = await Promise.all(
        people.slice(1).map((person) => outcome(committedAs(sql, person, (me) => decide(me, post, review, 1)))),
      );
      expect(outcomes.toSorted()).toEqual(["allowed", "review_over", "review_over", "review_over"]);
    }));

  test("an approval or an edit comes first, so that the approved version is the one that was read", async () => {
    for (let round = 0; round < 5; round += 1) {
      await withAsked(1, async ({ people, post, review }) => {
        const [approved, saved] = await Promise.all([
          outcome(committedAs(sql, people[1]!, (me) => decide(me, post, review, 1))),
          outcome(committedAs(sql, people[0]!, (me) => save(me, post, { content_raw: words("smuggled in") }))),
        ]);
        const [now] = await sql`select status, content_raw::text like '%smuggled%' as smuggled from public.posts where id = ${post}`;
        expect([
          { approved: "allowed", saved: "review_required", status: "published", smuggled: false },
          { approved: "version_conflict", saved: "allowed", status: "draft", smuggled: true },
        ]).toContainEqual({ approved, saved, ...now });
      });
    }
  });

  test("a demoted user's approval doesn't stay", async () => {
    for (let round = 0; round < 5; round += 1) {
      await withAsked(1, async ({ workspace, owner, people, post, review }) => {
        await sql`update private.reviews set publish_at = date_trunc('minute', now()) + interval '1 day' where id = ${review}`;
        const [approved, demoted] = await Promise.all([
          outcome(committedAs(sql, people[1]!, (me) => decide(me, post, review, 1))),
          outcome(committedAs(sql, owner, (me) => me`select public.set_member_role(${workspace}, ${people[1]!}, 'editor')`)),
        ]);
        expect(demoted).toBe("allowed");
        expect(["allowed", "forbidden"]).toContain(approved);
        expect((await sql`select status from public.posts where id = ${post}`)[0]!.status).toBe("draft");
      });
    }
  });

  test("no post is scheduled on an approval withdrawn meanwhile", () =>
    withAsked(1, async ({ workspace, owner, people, post, review }) => {
      await sql`update private.reviews set publish_at = date_trunc('minute', now()) + interval '1 day' where id = ${review}`;
      await committedAs(sql, people[1]!, (me) => decide(me, post, review, 1));
      await committedAs(sql, people[0]!, (me) => save(me, post, { status: "draft" }));
      let demoted: Promise<string> | undefined;
      await committedAs(sql, people[0]!, async (me) => {
        await save(me, post, { publish_at: inDays(2) });
        demoted = outcome(committedAs(sql, owner, (other) => other`select public.set_member_role(${workspace}, ${people[1]!}, 'editor')`));
        const waits = () => sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%set_member_role(%'`;
        await expect.poll(async () => (await waits()).length, { timeout: 10_000 }).toBeGreaterThan(0);
      });
      expect(await demoted).toBe("allowed");
      expect((await sql`select status from public.posts where id = ${post}`)[0]!.status).toBe("draft");
    }));

  test("a stranger neither waits for a post's lock nor takes it", () =>
    withAsked(2, async ({ workspace, people, post }) => {
      await sql`delete from public.members where workspace_id = ${workspace} and user_id = ${people[2]!}`;
      await sql.begin(async (tx) => {
        await tx`select from public.posts where id = ${post} for update`;
        const asks = (work: (me: TransactionSql) => Promise<unknown>) =>
          outcome(
            committedAs(sql, people[2]!, async (me) => {
              await me`select set_config('lock_timeout', '2s', true)`;
              return work(me);
            }),
          );
        expect(await asks((me) => ask(me, post, 1))).toBe("not_found");
        expect(await asks(async (me) => await me`select public.undo_archive(${post}, 1)`)).toBe("not_found");
      });
    }));

  test("one of two requests stays pending", () =>
    withAsked(3, async ({ people, post }) => {
      const outcomes = await Promise.all(people.map((person) => outcome(committedAs(sql, person, (me) => ask(me, post, 1)))));
      expect(new Set(outcomes)).toEqual(new Set(["allowed"]));
      expect(await sql`select from private.reviews where post_id = ${post} and state = 'waiting'`).toHaveLength(1);
    }));
});
