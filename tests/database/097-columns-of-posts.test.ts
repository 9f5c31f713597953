import { describe, expect } from "vitest";
import { connect } from "./support/database.ts";
import { refused } from "./support/refusal.ts";
import { testEach, words, test } from "./support/world.ts";

const sql = connect();

const seen = {
  title: "Another title",
  slug: "another-address",
  tags: ["another"],
  content_raw: words("Other words."),
  summary: "Another summary.",
  cover_image: "none",
  details: { version: "1.2.3" },
  author_id: "7d1c2c2e-0000-4000-8000-000000000001",
  author_name: "Somebody else",
};

/** Columns whose change doesn't affect readers, with the reason. */
const unseen = {
  id: "never changes",
  workspace_id: "never changes",
  status: "decides if they see it: each trigger checks that itself",
  publish_at: "decides when they will see it: each trigger checks that itself",
  published_at: "decides when they saw it first: each trigger checks that itself",
  search_text: "follows from title, tags and text",
  excerpt: "follows from the text",
  archived_at: "follows from the status",
  version: "follows from the rest",
  created_by: "the team's; readers are told the author",
  created_by_name: "the team's; readers are told the author",
  created_at: "the team's",
  updated_at: "follows from the rest",
  updated_by: "the team's",
  updated_by_name: "the team's",
  content_updated_at: "follows from the rest",
  external_id: "for programs of the team",
  requests: "for the team and its programs",
  imported_at: "whether it is news; an import's own",
};

const noneOf = (names: object): Record<string, unknown> => Object.fromEntries(Object.keys(names).map((name) => [name, null]));

describe("every column of posts is listed as visible to readers or not", () => {
  test("lists cover every column; a new visible one also belongs in private.is_visible_change", async () => {
    const columns = await sql<{ name: string }[]>`
      select column_name as name from information_schema.columns where table_schema = 'public' and table_name = 'posts'`;
    expect(columns.map(({ name }) => name).toSorted()).toEqual([...Object.keys(seen), ...Object.keys(unseen)].toSorted());
  });

  test("lists match private.is_visible_change", async ({ world: { tx, post } }) => {
    const { id } = await post({ status: "published", content_raw: words("Words.") });
    const differing: string[] = [];
    for (const [column, value] of Object.entries({ ...noneOf(unseen), ...seen })) {
      const [row] = await tx`
          select private.is_visible_change(p, jsonb_populate_record(p, ${{ [column]: value } as never})) as differs
          from public.posts p where p.id = ${id}`;
      if (row!.differs) differing.push(column);
    }
    expect(differing.toSorted()).toEqual(Object.keys(seen).toSorted());
  });

  testEach(["javascript:alert(1)", "https://example.com/acme/app/issues/1"])("requests refuses %s", async ({ tx, post }, url) => {
    const { id } = await post();
    await expect(tx`update public.posts set requests = array[${url}] where id = ${id}`).rejects.toThrow("posts_requests_shape");
  });

  const { author_id: _id, author_name: _name, ...written } = seen;
  testEach(Object.entries<unknown>(written))(
    "a change of %s makes a version that webhooks and feeds receive, and an archived post refuses it",
    async ({ tx, post }, column, value) => {
      const change = (id: string) => tx`
        update public.posts p set ${tx(column)} = (jsonb_populate_record(p, ${{ [column]: value } as never})).${tx(column)}
        where p.id = ${id} returning version, content_updated_at = updated_at or ${column === "slug"} as is_news`;
      expect(await change((await post()).id)).toEqual([{ version: 2, is_news: true }]);
      const kept = await post();
      await tx`update public.posts set status = 'archived' where id = ${kept.id}`;
      expect(await refused(change(kept.id))).toMatchObject({ code: "archived_post_locked" });
    },
  );
});
