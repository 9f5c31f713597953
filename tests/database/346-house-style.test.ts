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
  test("keeps its lines and its author; saving it unchanged adds no audit log entry", async ({ world }) => {
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

  test("saved twice at once is the second one, which updates the first", () =>
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

describe("the writing context", () => {
  test("has at most 20 posts, 50 since a given day, 30 drafts and 20 scheduled ones, and says so", async ({ world }) => {
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
