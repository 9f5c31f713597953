import { beforeAll, describe, expect, test } from "vitest";
import { v1PostEndpoints } from "#contract/v1/posts.ts";
import { as, type Client } from "./support/client.ts";
import { newKey, newTeam, type Team } from "./support/people.ts";
import { visit } from "./support/public.ts";

let team: Team;
let api: Client;
beforeAll(async () => {
  team = await newTeam();
  api = (await newKey(team.owner, team.workspaceId)).api;
  await team.owner.api.post("/api/public/changelog/toggle", { isPublic: true, workspaceId: team.workspaceId });
});

const lines = (count: number, line: (n: number) => string) => Array.from({ length: count }, (_, n) => line(n)).join("\n");

const hostile: Record<string, string> = {
  "100,000 quotes in each other": `${">".repeat(100_000)} x`,
  "quotes in quotes on every line": lines(15_000, (n) => `${"> ".repeat(n % 12)}a`),
  "lists in lists": lines(9_000, (n) => `${" ".repeat((n % 20) * 2)}- a`),
  "a list without an end": "- a\n".repeat(90_000),
  "100,000 brackets": "[".repeat(100_000),
  "100,000 emphases": "*a _b ".repeat(60_000),
  "a table that is broken": `| a | b |\n| --- |\n${"| x | y ".repeat(45_000)}`,
  "a table without an end": `| a | b |\n| - | - |\n${"| x | y |\n".repeat(35_000)}`,
  "raw HTML in itself": "<div><b>".repeat(45_000),
  "code that never ends": `\`\`\`\n${"x\n".repeat(150_000)}`,
  "backticks of every length": lines(800, (n) => "`".repeat(n)),
  "9,000 definitions and their links": `${lines(9_000, (n) => `[a${n}]: https://example.com/${n}`)}\n\n${"[a1] ".repeat(10_000)}`,
  "one word": "x".repeat(390_000),
  "addresses without an end": "http://a.b/c?".repeat(30_000),
};

describe("hostile Markdown is refused or sanitized quickly:", () => {
  test.each(Object.entries(hostile))("%s", async (_, markdown) => {
    const began = performance.now();
    const sent = api.post("/api/v1/posts", { title: "Hostile", markdown });
    const neighbour = await visit(team.subdomain, "/releases");
    const { status, body } = await sent;
    expect(neighbour.status).toBe(200);
    if (status === 422) expect(Object.keys(body.fields ?? {})).toEqual(["markdown"]);
    else expect(status).toBe(201);
    expect(performance.now() - began).toBeLessThan(60_000);
  });
});

test("a long post of many sections is one post, with link definitions at its end", async () => {
  const section = (n: number) => `## Part ${n}\n\n${"Words of a [page]. ".repeat(20)}\n\n- one\n- two\n\n`;
  const markdown = `${Array.from({ length: 60 }, (_, n) => section(n)).join("")}[page]: https://example.com/page\n`;
  const { post } = as(v1PostEndpoints.create, await api.post("/api/v1/posts", { title: "Long", markdown }));
  expect(post.blocks.filter(({ type }) => type === "header")).toHaveLength(60);
  expect(post.markdown.match(/https:\/\/example\.com\/page/g)).toHaveLength(60 * 20);
});

test("HTML has no effect: readers get text", async () => {
  const markdown = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[click](javascript:alert(1))",
    "![x](javascript:alert(1))",
    "<a href='javascript:alert(1)' onclick=alert(1)>go</a>",
    "<iframe src=https://evil.example></iframe> safe words",
  ].join("\n\n");
  const { post } = as(v1PostEndpoints.create, await api.post("/api/v1/posts", { title: "Safe", markdown, status: "published" }));
  const page = (await visit(team.subdomain, `/releases/${post.slug}`)).body;
  expect(page).toContain("safe words");
  expect(page).not.toMatch(/javascript:|onerror|onclick|<iframe|alert\(1\)<\/script>/);
});
