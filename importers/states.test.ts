import { describe, expect, test } from "vitest";
import { announcekit } from "./adapters/announcekit.ts";
import { beamer } from "./adapters/beamer.ts";
import { canny } from "./adapters/canny.ts";
import { changesPage } from "./adapters/changes-page.ts";
import type { Adapter } from "./entry.ts";
import { ghost } from "./adapters/ghost.ts";
import { launchnotes } from "./adapters/launchnotes.ts";
import { markdown } from "./adapters/markdown.ts";
import { prepare } from "./to-post.ts";

const now = new Date("2026-06-01T12:00:00Z");
const notion = "Plans 0123456789abcdef0123456789abcdef.md";

async function comesAs(adapter: Adapter, name: string, text: string, address?: string) {
  const { entries } = adapter.read([{ name, bytes: new TextEncoder().encode(text) }], {
    now,
    ...(address === undefined ? {} : { address }),
  });
  const { post, losses } = await prepare(entries[0]!, { now });
  return [post.status, losses, entries[0]!.old_urls.length];
}
const unknown = (said: string) => ["draft", [`Its state was “${said}”, so it's imported as a draft`], 0];

describe("a Markdown file with a day", () => {
  const withFacts = (facts: string) => comesAs(markdown, "a.md", `---\ndate: 2024-01-02\n${facts}\n---\n# A\n\nWords.`);
  test.each(["title: A", "draft: false", "published: true", "status: published", "status: Public", "state: live", "status: [Released]"])(
    "and %s is published",
    async (facts) => expect(await withFacts(facts)).toEqual(["published", [], 0]),
  );
  test.each([
    ["status: Review", "Review"],
    ["status: private", "private"],
    ["status: unlisted", "unlisted"],
    ["state: Needs work", "Needs work"],
    ["status: Review\ndraft: false", "Review"],
    ["status: [Done, Secret]", "Done, Secret"],
    ["status: 3", "3"],
    ["status: not done", "not done"],
    ["status: unpublished soon", "unpublished soon"],
    [`status: "${"very ".repeat(40)}late"`, "very very very very very very very very…"],
  ])("and %s is a draft, and says why", async (facts, said) => expect(await withFacts(facts)).toEqual(unknown(said)));
  test.each(["status: draft", "status: Unpublished", "draft: true", "draft: yes", "published: false", "status: published\ndraft: true"])(
    "and %s is a draft",
    async (facts) => expect(await withFacts(facts)).toEqual(["draft", [], 0]),
  );
  test("imports status: archived as archived", async () => expect(await withFacts("status: archived")).toEqual(["archived", [], 0]));
  test("ignores values that aren't strings", async () =>
    expect(await withFacts("draft: { toString: 1 }\npublished: [no]")).toEqual(["published", [], 0]));
});

describe("a page of Notion with a day", () => {
  const withProperty = (line: string) => comesAs(markdown, notion, `# Plans\n\nDate: January 2, 2024\n${line}\n\nWords.`);
  test.each(["Status: Done", "Status: ✅ Done", "Status: Shipped 🚀", "Status: Completed", "State: Released", "Published: Yes"])(
    "and “%s” is published",
    async (line) => expect(await withProperty(line)).toEqual(["published", [], 0]),
  );
  test.each(["Review", "Backlog", "Ideas", "In review", "In progress", "Not started"])(
    "and “Status: %s” is a draft, and says why",
    async (said) => expect(await withProperty(`Status: ${said}`)).toEqual(unknown(said)),
  );
  test.each(["Published: No", "Draft: Yes"])("imports “%s” as a draft", async (line) =>
    expect(await withProperty(line)).toEqual(["draft", [], 0]),
  );
});

const at = "2024-01-02T00:00:00Z";
const products: readonly [Adapter, (state: unknown, date?: string) => unknown][] = [
  [canny, (status, date = at) => ({ entries: [{ id: "1", title: "A", markdownDetails: "b", publishedAt: date, status }] })],
  [announcekit, (status, date = at) => ({ posts: [{ id: "1", visible_at: date, status, locales: [{ title: "A", body: "<p>b</p>" }] }] })],
  [launchnotes, (state, date = at) => [{ id: "1", headline: "A", contentMarkdown: "b", publishedAt: date, state }]],
  [changesPage, (status, date = at) => [{ id: "1", title: "A", content: "b", publication_date: date, status }]],
  [beamer, (published, date = at) => [{ id: "1", date, published, translations: [{ title: "A", contentHtml: "<p>b</p>" }] }]],
];
describe.each(products)("$source", (adapter, answer) => {
  const withState = (state: unknown, date?: string) => comesAs(adapter, "a.json", JSON.stringify(answer(state, date)));
  test.each(["published", "Published", undefined])("imports %s as published", async (state) =>
    expect(await withState(state)).toEqual(["published", [], 0]),
  );
  test.each(["in review", "private", "internal only"])("imports “%s” as a draft and says why", async (state) =>
    expect(await withState(state)).toEqual(unknown(state)),
  );
  test("imports “private” as a draft even with a future date", async () =>
    expect(await withState("private", "2027-01-02T00:00:00Z")).toEqual(unknown("private")));
  test("imports a draft as a draft", async () => expect(await withState("draft")).toEqual(["draft", [], 0]));
  test("imports an archived post as archived", async () => expect(await withState("archived")).toEqual(["archived", [], 0]));
});

test.each([
  ["true", "published"],
  ["Yes", "published"],
  ["2024-01-02", "published"],
  ["no", "draft"],
])("a Beamer spreadsheet with “%s” is imported as %s", async (said, status) =>
  expect(await comesAs(beamer, "a.csv", `id,title,content,date,published\n1,A,b,${at},${said}`)).toEqual([status, [], 0]),
);

describe("Ghost", () => {
  const withStatus = (status: string, visibility = "public") => {
    const post = { id: "1", slug: "a", title: "A", html: "<p>b</p>", status, visibility, published_at: at };
    return comesAs(ghost, "a.json", JSON.stringify({ db: [{ data: { posts: [post] } }] }), "https://lighthouse.example");
  };
  test.each([
    ["published", "public", ["published", [], 1]],
    ["sent", "public", ["draft", ["It was only sent by email, so it's imported as a draft"], 0]],
    ["sent", "members", ["draft", ["Only members could see it, so it's imported as a draft"], 0]],
    ["draft", "public", ["draft", [], 0]],
    ["held", "public", unknown("held")],
  ])("has %s for the %s", async (status, visibility, expected) => expect(await withStatus(status, visibility)).toEqual(expected));
});
