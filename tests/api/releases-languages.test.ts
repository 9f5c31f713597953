import { expect, test } from "vitest";
import { directionOf, locales } from "#contract/locales.ts";
import { widgetData } from "#contract/releases.ts";
import { wordsIn } from "#contract/i18n/index.ts";
import { newPerson, sql } from "./support/people.ts";
import { newPost, openWorkspace, visit } from "./support/public.ts";

test("another language is there at the next look: page, post, feeds, widget, also of what was rendered before", async () => {
  const owner = await newPerson("Ada Lovelace");
  const { id, subdomain } = await openWorkspace(owner);
  const table = { type: "table", data: { withHeadings: true, content: [["a"], ["b"]] } };
  const { slug } = await newPost(owner, id, {
    tags: ["fix"],
    blocks: [table, { type: "callout", data: { kind: "warning", text: "Mind" } }],
  });
  const read = async (path: string): Promise<string> => (await visit(null, `${path}?workspace=${subdomain}`)).body;
  for (const locale of ["en", ...locales]) {
    await sql`
      insert into public.appearances (workspace_id, settings) values (${id}, ${sql.json({ locale })})
      on conflict (workspace_id) do update set settings = excluded.settings`;
    const { page, content, widget } = wordsIn(locale as (typeof locales)[number]);
    const dir = directionOf(locale as (typeof locales)[number]);
    for (const path of ["/releases", `/releases/${slug}`, "/releases/subscribe.html"])
      expect(await read(path)).toContain(`<html lang="${locale}" dir="${dir}"`);
    expect(await read("/releases")).toContain(`>${page.changelog}</h1>`);
    const post = await read(`/releases/${slug}`);
    for (const at of ["/releases", "/releases/rss.xml", "/releases/subscribe.html", `/releases/${slug}`])
      expect(await read(at)).toContain(`>${page.tagFix}<`);
    for (const said of [content.table, content.warning]) expect(post).toContain(`aria-label="${said}"`);
    const rss = await read("/releases/rss.xml");
    expect(rss).toContain(`<language>${locale}</language>`);
    expect(rss).toContain(`${content.warning}:`);
    expect(await read("/releases/atom.xml")).toContain(`xml:lang="${locale}"`);
    expect(JSON.parse(await read("/releases.feed.json"))).toMatchObject({ language: locale });
    expect(widgetData.parse(JSON.parse(await read("/releases/widget.json")))).toMatchObject({ locale, dir, words: { all: widget.all } });
    expect(await read(`/releases/${slug}.widget.json`)).toContain(`${content.warning}:`);
  }
});
