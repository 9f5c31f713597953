import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { commentMaxLength } from "#contract/comments.ts";
import { rateLimits } from "#contract/rate-limits.ts";
import { makePreviewToken } from "#contract/rules/preview-token.ts";
import { newPost, newPreviewLink, newTeam, sql, type Team } from "./support/people.ts";
import { readPage, setPublic, visit } from "./support/public.ts";
import { type SecondFunction, startFunction } from "./support/second-function.ts";

let team: Team;
beforeAll(async () => {
  team = await newTeam();
  await setPublic(team.workspaceId, true);
});

const blocks = [
  { id: "first", type: "paragraph", data: { text: "Easy on the <b>eyes</b>." } },
  { id: "second", type: "header", data: { text: "What is new", level: 2 } },
];

async function shared(link: Parameters<typeof newPreviewLink>[2] = { allows_comments: true }) {
  const post = await newPost(team.editor, team.workspaceId, { blocks: { time: 0, blocks, version: "2.28.2" } });
  const { url, ...made } = await newPreviewLink(team.editor, post.id, link);
  return { post, ...made, path: new URL(url).pathname };
}
type Fields = Record<string, string>;
const ours = { origin: "null", "sec-fetch-site": "same-origin" };
const send = (path: string, fields: Fields, headers: Fields = ours, subdomain = team.subdomain) =>
  visit(subdomain, `${path}/comments`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(fields).toString(),
  });
const said = (postId: string) =>
  sql<{ name: string; text: string; block_id: string | null; user_id: string | null }[]>`
    select c.name, c.text, t.block_id, c.user_id from private.comments c join private.comment_threads t on t.id = c.thread_id
    where t.post_id = ${postId} order by c.created_at`;
const at = (path: string) => readPage(team.subdomain, path);

describe("a visitor's comment", () => {
  test("is saved for a block or the whole post, appears on the page, and isn't repeated by a reload", async () => {
    const { post, path } = await shared();
    const sent = await send(path, { name: " Rita Reader ", text: "Very nice.\r\nReally.", block: "first", website: "" });
    expect([sent.status, sent.headers.location, sent.headers["referrer-policy"]]).toEqual([303, `${path}?sent=1#Comment`, "no-referrer"]);
    expect((await send(path, { name: "Rita Reader", text: "Thank you", block: "" })).status).toBe(303);
    expect([...(await said(post.id))]).toEqual([
      { name: "Rita Reader", text: "Very nice.\nReally.", block_id: "first", user_id: null },
      { name: "Rita Reader", text: "Thank you", block_id: null, user_id: null },
    ]);
    const { page } = await at(`${path}?sent=1`);
    expect(page.querySelector(".said [role=status]")?.textContent).toBe("Your comment was sent. Thank you.");
    expect([...page.querySelectorAll(".said article .words")].map(({ textContent }) => textContent)).toEqual([
      "Very nice.\nReally.",
      "Thank you",
    ]);
    expect(page.querySelector(".said article .about a")?.getAttribute("href")).toBe("#Block-first");
    expect(page.getElementById("Block-first")).not.toBeNull();
    const gone = await visit(team.subdomain, `${path}/comments`);
    expect([gone.status, gone.headers.location]).toEqual([303, path]);
  });

  test("is answered by the team; internal and resolved threads are hidden from visitors", async () => {
    const { post, path } = await shared();
    await send(path, { name: "Rita", text: "Is it free?" });
    const [thread] = await sql<{ id: string }[]>`select id from private.comment_threads where post_id = ${post.id}`;
    await team.admin.api.post(`/api/posts/${post.id}/threads/${thread!.id}/comments`, { text: "Yes, it is." });
    await team.admin.api.post(`/api/posts/${post.id}/threads`, { text: "A secret of the team.", block_id: "first" });
    const { page, body } = await at(path);
    expect([...page.querySelectorAll(".remark")].map(({ textContent }) => textContent?.replace(/ · [^·]*\d{4}/, ""))).toEqual([
      "RitaIs it free?",
      "Adam Admin · Team of AcmeYes, it is.",
    ]);
    expect(body).not.toContain("A secret of the team.");
    await team.admin.api.patch(`/api/posts/${post.id}/threads/${thread!.id}`, { resolved: true });
    expect((await at(path)).body).not.toContain("Is it free?");
  });

  test("runs no script and contains no link", async () => {
    const { path } = await shared();
    const evil = `<script>alert(1)</script><img src=x onerror=alert(1)> https://evil.example`;
    await send(path, { name: evil.slice(0, 100), text: evil });
    const { page } = await at(path);
    expect(page.querySelector(".said .words")?.textContent).toBe(evil);
    expect(page.querySelectorAll("script, [onerror], .said a[href*='evil']")).toHaveLength(0);
  });

  test("gets its block from a link behind each, without changing the page's layout", async () => {
    const { path } = await shared();
    const { page } = await at(path);
    const links = [...page.querySelectorAll(".beside a")];
    expect(links.map((link) => [link.getAttribute("href"), link.getAttribute("aria-label")])).toEqual([
      [`${path}?block=first#Comment`, "Comment on “Easy on the eyes.”"],
      [`${path}?block=second#Comment`, "Comment on “What is new”"],
    ]);
    const chosen = (await at(`${path}?block=second`)).page.querySelector<HTMLOptionElement>("#About option[selected]");
    expect(chosen?.value).toBe("second");
    page.querySelectorAll(".beside").forEach((one) => one.remove());
    const plain = await shared({});
    const text = (document: Document) => document.querySelector(".body")?.innerHTML.replace(/\n+/g, "\n").trim();
    expect(text(page)).toBe(text((await at(plain.path)).page));
  });
});

describe("a rejected comment is kept in the form:", () => {
  test.each<[string, Fields, string, string]>([
    ["no name", { name: " ", text: "Words", block: "first" }, "Name", "Please enter your name"],
    ["an invisible name", { name: "\u200b", text: "Words", block: "first" }, "Name", "Please enter your name"],
    ["a long name", { name: "n".repeat(121), text: "Words" }, "Name", "A name can have at most 120 characters"],
    ["no words", { name: "Rita", text: " \n " }, "Text", "Please write a comment"],
    [
      "20,000 characters",
      { name: "Rita", text: "ä😀".repeat(10_000) },
      "Text",
      `A comment can have at most ${commentMaxLength} characters; this one has 20000`,
    ],
  ])("%s shows the form with the text and a sentence at the field", async (_name, fields, id, sentence) => {
    const { post, path } = await shared();
    const reply = await send(path, fields);
    const { JSDOM } = await import("jsdom");
    const { document } = new JSDOM(reply.body).window;
    expect([reply.status, reply.headers["content-type"]]).toEqual([422, "text/html; charset=utf-8"]);
    const field = document.getElementById(id);
    expect([
      field?.getAttribute("aria-invalid"),
      document.getElementById(field?.getAttribute("aria-describedby") ?? "")?.textContent,
    ]).toEqual(["true", sentence]);
    expect(document.querySelector<HTMLInputElement>("#Name")?.value).toBe(fields.name);
    expect(document.querySelector<HTMLTextAreaElement>("#Text")?.value === fields.text).toBe(true);
    expect(document.querySelector("#About option[selected]")?.getAttribute("value")).toBe(fields.block ?? "");
    expect([...(await said(post.id))]).toEqual([]);
  });

  test("the honeypot field gets a thank-you page, and nothing is written", async () => {
    const { post, path } = await shared();
    expect((await send(path, { name: "Robot", text: "Buy", website: "https://spam.example" })).status).toBe(303);
    expect([...(await said(post.id))]).toEqual([]);
  });
});

describe("no comment is written", () => {
  test.each<[string, Fields]>([
    ["another site's page", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
    ["a neighbour's page", { "sec-fetch-site": "same-site", origin: "null" }],
    ["an old browser at another site", { origin: "https://evil.example" }],
  ])("from %s", async (_name, headers) => {
    const { post, path } = await shared();
    expect((await send(path, { name: "Rita", text: "Words" }, headers)).status).toBe(403);
    expect([...(await said(post.id))]).toEqual([]);
  });
  test("by a link that doesn't allow it, was revoked, expired, is unknown or of another host", async () => {
    const none = await shared({});
    const other = await newTeam();
    const ended = await shared();
    await team.editor.api.delete(`/api/posts/${ended.post.id}/preview-links/${ended.link.id}`);
    const fields = { name: "Rita", text: "Words" };
    expect((await at(none.path)).page.querySelector("form[action$='/comments']")).toBeNull();
    expect((await send(none.path, fields)).status).toBe(404);
    expect((await send(ended.path, fields)).status).toBe(404);
    expect((await send(`/releases/preview/${makePreviewToken()}`, fields)).status).toBe(404);
    const one = await shared();
    expect((await send(one.path, fields, ours, other.subdomain)).status).toBe(404);
    for (const { post } of [none, ended, one]) expect([...(await said(post.id))]).toEqual([]);
  });
});

describe("comments are rate limited:", () => {
  let one: SecondFunction;
  beforeAll(async () => {
    one = await startFunction(inject("stack"), "releases", { TIDINGS_RATE_LIMIT_SCALE: "0.1" });
  });
  afterAll(async () => await one.stop());

  test("per network in ten minutes; a refused one keeps its text, other networks aren't affected", async () => {
    const { post, token } = await shared();
    const size = rateLimits.previewComment.address.size * 0.1;
    const [mine, others] = [`10.3.${Date.now() % 200}.7`, `10.4.${Date.now() % 200}.7`];
    const say = (text: string, address: string) =>
      fetch(`${one.url}/releases/preview/${token}/comments?workspace=${team.subdomain}`, {
        method: "POST",
        headers: { ...ours, "x-forwarded-for": address },
        body: new URLSearchParams({ name: "Rita", text }),
        redirect: "manual",
      });
    for (let number = 0; number < size; number++) expect((await say(`Number ${number}`, mine)).status).toBe(303);
    const refused = await say("One too many", mine);
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect(await refused.text()).toContain("One too many</textarea>");
    expect((await say("From elsewhere", others)).status).toBe(303);
    expect(await said(post.id)).toHaveLength(size + 1);
  });
});
