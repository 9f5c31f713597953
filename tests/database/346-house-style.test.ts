import type { TransactionSql } from "postgres";
import { describe, expect } from "vitest";
import { committedAs, withWorkspace } from "./support/committed.ts";
import { connect } from "./support/database.ts";
import { refused } from "./support/refusal.ts";
import { inDays, type Person, words, type World, test } from "./support/world.ts";

const sql = connect(8);
const save = ({ as, acme }: World, text: string, person: Person = "admin") =>
  as(person, async (me) => (await me`select * from public.save_house_style(${acme}, ${text})`)[0]!);
const linesOf = async ({ tx, acme }: World) =>
  (
    await tx<{ details: unknown; actor_name: string }[]>`
      select details, actor_name from private.audit_log where workspace_id = ${acme} and kind = 'house_style_changed' order by id`
  ).map(({ details, actor_name }) => [actor_name, details]);

describe("a house style", () => {
  test("keeps its lines, and says who wrote it; the same again changes nothing and leaves no line in the audit log", async ({ world }) => {
    const first = await save(world, "\r\n  Be brief.\r\rNo jokes. \u00a0\n");
    expect(first).toMatchObject({ text: "Be brief.\n\nNo jokes.", updated_by: world.people.admin, updated_by_name: "admin" });
    expect(await save(world, "Be brief.\n\nNo jokes.", "owner")).toEqual(first);
    expect(await save(world, "", "owner")).toMatchObject({ text: "", updated_by_name: "owner" });
    expect(await linesOf(world)).toEqual([
      ["admin", { characters: [0, 20] }],
      ["owner", { characters: [20, 0] }],
    ]);
  });

  test("has 4,000 characters at most, whatever they are", async ({ world }) => {
    expect(await save(world, "🙂".repeat(4_000))).toMatchObject({ text: "🙂".repeat(4_000) });
    expect(await refused(save(world, "x".repeat(4_001)))).toMatchObject({
      code: "validation_failed",
      detail: { text: "Please use at most 4,000 characters" },
    });
  });

  test("of two at once is that of the second, who changes what the first one wrote", () =>
    withWorkspace(sql, 0, async ({ owner, workspace }) => {
      const texts = ["One", "Two!", "Three"];
      await Promise.all(
        texts.map((text) => committedAs(sql, owner, (tx: TransactionSql) => tx`select public.save_house_style(${workspace}, ${text})`)),
      );
      const [kept] = await sql<{ text: string }[]>`select text from public.house_styles where workspace_id = ${workspace}`;
      const told = await sql<{ details: { characters: [number, number] } }[]>`
        select details from private.audit_log where workspace_id = ${workspace} and kind = 'house_style_changed' order by id`;
      const steps = told.map(({ details }) => details.characters);
      expect(steps.map(([before]) => before)).toEqual([0, ...steps.slice(0, -1).map(([, after]) => after)]);
      expect(steps.at(-1)![1]).toBe(kept!.text.length);
    }));
});

interface Context {
  workspace: { name: string };
  language: string;
  house_style: string | null;
  tags: { key: string }[];
  carried: { key: string; posts: number }[];
  published: { title: string; summary: string; tags: string[]; published_at: string }[];
  more_published: boolean;
  more_unpublished: boolean;
  unpublished: { title: string; status: string; publish_at: string | null; version: number }[];
}
const contextOf = async ({ as, acme }: World, since: Date | null = null, person: Person = "viewer"): Promise<Context> =>
  as(person, async (me) => (await me`select public.release_notes_context(${acme}, ${since}) as context`)[0]!.context as Context);
const titles = (posts: readonly { title: string }[]) => posts.map(({ title }) => title);

describe("what is told before a post is written", () => {
  test("of a new workspace: its name, English, the tags that every workspace has, and no posts", async ({ world }) => {
    expect(await contextOf(world)).toMatchObject({
      ...{ workspace: { name: "Acme" }, language: "en", house_style: null, carried: [] },
      ...{ published: [], more_published: false, unpublished: [], more_unpublished: false },
    });
  });

  test("what is out, newest first, and what is not: scheduled posts as they come, then drafts, last edited first; nothing that is archived", async ({
    world,
  }) => {
    const { as, acme, tx } = world;
    await save(world, "Be brief.");
    await as("owner", (me) => me`select public.save_appearance(${acme}, '{"locale": "de"}')`);
    await world.post({ title: "First", status: "published", tags: ["fix"], content_raw: words("It was broken.") });
    await world.post({ title: "Second", status: "published" });
    const due = await world.post({ title: "Due", publish_at: inDays(1) });
    await tx`update public.posts set publish_at = now() + interval '1 hour' where id = ${due.id}`;
    await world.post({ title: "Later", publish_at: inDays(9) });
    await world.post({ title: "Sooner", publish_at: inDays(2) });
    await world.post({ title: "Old draft" });
    await world.post({ title: "New draft" });
    const gone = await world.post({ title: "Gone", status: "published" });
    await as("owner", (me) => me`select public.archive_post(${gone.id})`);
    await world.post({ workspace_id: world.globex, title: "Theirs", status: "published" });
    // Its time has come, and the publisher has not been by: it is out.
    await tx`alter table public.posts disable trigger user`;
    await tx`update public.posts set publish_at = now() - interval '1 minute' where id = ${due.id}`;
    await tx`update public.posts set published_at = now() - interval '2 days' where title = 'First' and workspace_id = ${acme}`;
    await tx`update public.posts set updated_at = now() - interval '1 day' where title = 'Old draft' and workspace_id = ${acme}`;
    await tx`alter table public.posts enable trigger user`;

    const told = await contextOf(world);
    expect(told).toMatchObject({ language: "de", house_style: "Be brief.", more_published: false, carried: [{ key: "fix", posts: 1 }] });
    expect(titles(told.published)).toEqual(["Second", "Due", "First"]);
    expect(told.published[2]).toMatchObject({ summary: "It was broken.", tags: ["fix"] });
    expect(told.unpublished.map(({ title, status }) => [title, status])).toEqual([
      ["Sooner", "scheduled"],
      ["Later", "scheduled"],
      ["New draft", "draft"],
      ["Old draft", "draft"],
    ]);
    expect(titles((await contextOf(world, inDays(-1))).published)).toEqual(["Second", "Due"]);
    expect((await contextOf(world, inDays(1))).published).toEqual([]);
    expect(JSON.stringify(told)).not.toMatch(/Theirs|Gone/);
  });

  test("never more than 20 posts, 50 since a day that is named, 30 drafts and 20 that are scheduled; and it says so", async ({ world }) => {
    const { tx, acme } = world;
    await world.as(
      "owner",
      (me) => me`insert into public.posts (workspace_id, title, content_raw, status, publish_at)
          select ${acme}, s.status || n, ${me.json(words("x") as never)}, s.status::public.post_status,
            case s.status when 'scheduled' then now() + make_interval(days => n) end
          from (values ('published'), ('scheduled'), ('draft')) as s (status), generate_series(1, 60) as n`,
    );
    expect((await tx`select count(*)::int as n from public.posts where workspace_id = ${acme}`)[0]!.n).toBe(180);
    const told = await contextOf(world);
    expect([told.published.length, told.more_published]).toEqual([20, true]);
    expect(told.more_unpublished).toBe(true);
    expect(told.unpublished.filter(({ status }) => status === "draft")).toHaveLength(30);
    expect(told.unpublished.filter(({ status }) => status === "scheduled").map(({ title }) => title)).toEqual(
      Array.from({ length: 20 }, (_, n) => `scheduled${n + 1}`),
    );
    const since = await contextOf(world, inDays(-1));
    expect([since.published.length, since.more_published]).toEqual([50, true]);
  });
});
