import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { apiKeyEndpoints } from "#contract/api-keys.ts";
import { type ApiKeyScope, apiKeyScopes } from "#contract/api-key-scopes.ts";
import { as } from "./support/client.ts";
import { newTeam, sql, type Team } from "./support/people.ts";
import { visit } from "./support/public.ts";

const { url } = inject("stack");
const root = path.resolve(import.meta.dirname, "../..");

let team: Team;
let folder: string;
beforeAll(async () => {
  team = await newTeam();
  await team.owner.api.post("/api/public/changelog/toggle", { isPublic: true, workspaceId: team.workspaceId });
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tidings-command-"));
  return () => rm(folder, { recursive: true });
});

async function secretOf(scopes: readonly ApiKeyScope[] = apiKeyScopes): Promise<string> {
  const made = await team.owner.api.post(`/api/workspaces/${team.workspaceId}/keys`, { name: "CI", scopes });
  return as(apiKeyEndpoints.create, made).secret;
}

function running(program: string, args: readonly string[], env: Record<string, string>, stdin = "") {
  return new Promise<{ exitCode: number | null; out: string; err: string }>((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(root, program), ...args], {
      env: { PATH: process.env["PATH"], HOME: folder, TIDINGS_URL: url, ...env },
    });
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ exitCode, out, err }));
    child.stdin.end(stdin);
  });
}
const tidings = (args: readonly string[], env: Record<string, string> = {}, stdin = "") => running("cli/bin/tidings.js", args, env, stdin);
const postNamed = (name: string) =>
  sql<{ id: string; title: string; status: string }[]>`
    select p.id, p.title, p.status::text from public.posts p where p.workspace_id = ${team.workspaceId} and p.external_id = ${name}`;
const eventsOf = (id: string) => sql<{ kind: string }[]>`select kind::text from private.events where post_id = ${id}`;

test("access is shown and set, with a password from stdin", async () => {
  const key = { TIDINGS_KEY: await secretOf(["access:write"]) };
  const run = async (args: string[], stdin = "") => (await tidings(["access", ...args], key, stdin)).out.trim();
  const status = async () => (await visit(team.subdomain, "/releases")).status;
  expect([await run([]), await status()]).toEqual(["public", 200]);
  expect([await run(["password"], "open sesame\n"), await status()]).toEqual(["password", 403]);
  const link = await run(["link"]);
  expect(link).toMatch(/^link {2}http.*\/releases\/access\/[\w-]{48}$/);
  expect(await run([])).toBe(link);
  expect(await run(["--renew"])).not.toBe(link);
  expect(await tidings(["access", "everyone"], key)).toMatchObject({ exitCode: 1 });
  expect(await tidings(["access"], { TIDINGS_KEY: await secretOf(["posts:read"]) })).toMatchObject({ exitCode: 3 });
  expect([await run(["public"]), await status()]).toEqual(["public", 200]);
});

test("a release published twice by CI is one post and one event", async () => {
  const key = await secretOf(["posts:read", "posts:write", "posts:publish"]);
  const release = {
    tag_name: "v1.2.0",
    name: "Faster search",
    body: "## New\n\n- **Twice** as fast\n\n```ts\nconst a = 1;\n```",
    prerelease: false,
  };
  const event = path.join(folder, "event.json");
  const output = path.join(folder, "output");
  await writeFile(event, JSON.stringify({ release }));
  const env = { TIDINGS_KEY: key, GITHUB_EVENT_PATH: event, GITHUB_OUTPUT: output };
  const first = await running("action/release.js", [], env);
  expect(first).toMatchObject({ exitCode: 0, err: "" });
  const second = await running("action/release.js", [], env);
  expect(second.out).toBe(first.out);

  const [post, ...others] = await postNamed("v1.2.0");
  expect(post).toMatchObject({ title: "Faster search", status: "published" });
  expect(others).toEqual([]);
  expect(await eventsOf(post!.id)).toHaveLength(1);
  const [idLine, urlLine, statusLine] = (await readFile(output, "utf8")).split("\n");
  expect([idLine, statusLine]).toEqual([`id=${post!.id}`, "status=published"]);
  const address = new URL(urlLine!.slice("url=".length));
  const page = await visit(address.hostname.split(".")[0]!, address.pathname);
  expect(page.status).toBe(200);
  expect(page.body).toContain('<code class="language-typescript"><span class="k">const</span> a = <span class="n">1</span>;</code>');
});

test("login stores a working key, which whoami, draft, import and export use", async () => {
  const key = await secretOf();
  expect(await tidings(["login"], {}, `${key}\n`)).toMatchObject({ exitCode: 0, err: "" });
  expect(await tidings(["whoami"])).toMatchObject({ exitCode: 0, out: expect.stringContaining("the key works") });
  const text = "# A draft\n\nOne **two** <u>three</u>.\n\n> [!TIP]\n> Four\n\n```typescript\nlet five;\n```\n";
  expect(await tidings(["draft", "-", "--external-id", "d-1", "--tags", "improvement"], {}, text)).toMatchObject({
    exitCode: 0,
    out: "Draft: A draft\n",
  });

  const out = path.join(folder, "out");
  expect(await tidings(["export", "--markdown", out])).toMatchObject({ exitCode: 0 });
  const name = (await readdir(out)).find((one) => one.startsWith("a-draft"))!;
  const file = await readFile(path.join(out, name), "utf8");
  expect(file).toContain(text.replace("# A draft\n\n", ""));
  const [before] = await sql`select version from public.posts where workspace_id = ${team.workspaceId} and external_id = 'd-1'`;
  expect(await tidings(["draft", path.join(out, name)])).toMatchObject({ exitCode: 0 });
  expect(await sql`select version from public.posts where workspace_id = ${team.workspaceId} and external_id = 'd-1'`).toEqual([before]);

  const into = path.join(folder, "in");
  await mkdir(into);
  await writeFile(path.join(into, "old.md"), "---\ntitle: Old\ndate: 2020-02-03\ntags: [new]\n---\n\nLong ago.");
  expect(await tidings(["import", into, "--publish"])).toMatchObject({ exitCode: 0, out: expect.stringContaining("old.md: published") });
  expect(await postNamed("old")).toMatchObject([{ title: "Old", status: "published" }]);
});

const mergedEvent = (number: number, title: string, labels: string[] = [], body: string | null = null) => ({
  action: "closed",
  number,
  pull_request: {
    ...{
      number,
      title,
      body,
      state: "closed",
      draft: false,
      merged: true,
      merged_at: "2026-11-23T10:00:00Z",
      closed_at: "2026-11-23T10:00:00Z",
    },
    html_url: `https://github.com/acme/shop/pull/${number}`,
    user: { login: "octocat", type: "User" },
    labels: labels.map((name, id) => ({ id, name, color: "d73a4a", default: true, description: null })),
    base: { ref: "main", repo: { full_name: "acme/shop" } },
    head: { ref: "feature", repo: { full_name: "stranger/shop" } },
  },
  repository: { full_name: "acme/shop", default_branch: "main" },
  sender: { login: "octocat" },
});

describe("merged pull requests", () => {
  const collecting = async (event: object, env: Record<string, string>, name: string) => {
    const file = path.join(folder, `event-${Math.random()}.json`);
    await writeFile(file, JSON.stringify(event));
    return await running("action/pull-requests/collect.js", [], { INPUT_NAME: name, GITHUB_EVENT_PATH: file, ...env });
  };
  const textOf = async (name: string) => {
    const key = await secretOf(["posts:read"]);
    const answer = await fetch(`${url}/api/v1/posts/by-external-id/${name}`, { headers: { authorization: `Bearer ${key}` } });
    return ((await answer.json()) as { post: { markdown: string } }).post.markdown;
  };
  const link = (number: number) => `([#${number}](https://github.com/acme/shop/pull/${number}))`;

  test("become lines of one draft, once each, under their headings; edits stay, and the draft isn't public", async () => {
    const key = { TIDINGS_KEY: await secretOf(["posts:read", "posts:write"]), INPUT_TAGS: "improvement" };
    const output = path.join(folder, "output");
    const first = await collecting(mergedEvent(7, "fix: accents `é` count"), { ...key, GITHUB_OUTPUT: output }, "one");
    expect(first).toEqual({ exitCode: 0, out: "Added to the draft\n", err: "" });
    const name = "one-2026-w48";
    const [draft, ...others] = await postNamed(name);
    expect([draft, others]).toEqual([{ id: expect.any(String) as string, title: "What's new in week 48 of 2026", status: "draft" }, []]);
    expect(await readFile(output, "utf8")).toBe(`outcome=added\nid=${draft!.id}\n`);

    const { body } = await team.editor.api.get<{ post: { content_raw: string; version: number } }>(`/api/posts/${draft!.id}`);
    const content = JSON.parse(body.post.content_raw) as { blocks: { id: string }[] };
    const words = { id: "ourwords", type: "paragraph", data: { text: "A week of small things." } };
    const saved = await team.editor.api.put(`/api/posts/${draft!.id}`, {
      ...{ title: "Small things", version: body.post.version },
      content_raw: JSON.stringify({ ...content, blocks: [words, ...content.blocks] }),
    });
    expect(saved.status).toBe(200);

    expect((await collecting(mergedEvent(8, "Dark mode", ["enhancement"]), key, "one")).out).toBe("Added to the draft\n");
    expect((await collecting(mergedEvent(7, "fix: accents `é` count"), key, "one")).out).toBe("It is there already\n");
    expect((await collecting(mergedEvent(9, "chore: tidy up"), key, "one")).out).toBe("Left out\n");
    expect(await textOf(name)).toBe(
      `A week of small things.\n\n## New\n\n- Dark mode ${link(8)}\n\n## Fixed\n\n- Accents \`é\` count ${link(7)}`,
    );
    expect(await postNamed(name)).toEqual([{ id: draft!.id, title: "Small things", status: "draft" }]);
    const now = await team.editor.api.get<{ post: { content_raw: string } }>(`/api/posts/${draft!.id}`);
    const ids = (JSON.parse(now.body.post.content_raw) as { blocks: { id: string }[] }).blocks.map(({ id }) => id);
    expect(ids.filter((id) => [words, ...content.blocks].some((block) => block.id === id))).toHaveLength(1 + content.blocks.length);
    expect(await eventsOf(draft!.id)).toEqual([]);
  });

  test("that are merged at once are all included", async () => {
    const key = { TIDINGS_KEY: await secretOf(["posts:read", "posts:write"]) };
    const numbers = [1, 2, 3, 4, 5];
    const ended = await Promise.all(numbers.map((number) => collecting(mergedEvent(number, `Change ${number}`), key, "three")));
    expect(ended).toEqual(numbers.map(() => ({ exitCode: 0, out: "Added to the draft\n", err: "" })));
    const text = await textOf("three-2026-w48");
    for (const number of numbers) expect(text.split(link(number))).toHaveLength(2);
    expect(await postNamed("three-2026-w48")).toHaveLength(1);
  });
});
