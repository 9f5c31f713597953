import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, beforeEach, expect, inject, test } from "vitest";
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

/** Runs one of our programs as CI does. */
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

test("a release published by CI twice is one post and one event", async () => {
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

test("login keeps a key that works; whoami, draft, import and export go with it", async () => {
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
  // What was exported is the same when it comes back: no new version.
  expect(await tidings(["draft", path.join(out, name)])).toMatchObject({ exitCode: 0 });
  expect(await sql`select version from public.posts where workspace_id = ${team.workspaceId} and external_id = 'd-1'`).toEqual([before]);

  const into = path.join(folder, "in");
  await mkdir(into);
  await writeFile(path.join(into, "old.md"), "---\ntitle: Old\ndate: 2020-02-03\ntags: [new]\n---\n\nLong ago.");
  expect(await tidings(["import", into, "--publish"])).toMatchObject({ exitCode: 0, out: expect.stringContaining("old.md: published") });
  expect(await postNamed("old")).toMatchObject([{ title: "Old", status: "published" }]);
});

test("a key without posts:publish makes drafts and nothing that readers see; a revoked one is refused", async () => {
  const writer = { TIDINGS_KEY: await secretOf(["posts:read", "posts:write", "tags:write"]) };
  const refused = await tidings(["publish", "-", "--external-id", "w-1"], writer, "# No\n\nText.");
  expect(refused).toMatchObject({ exitCode: 3, out: "", err: expect.stringContaining("posts:publish") });
  expect(await postNamed("w-1")).toEqual([]);
  expect(await tidings(["draft", "-", "--external-id", "w-1"], writer, "# Yes\n\nText.")).toMatchObject({ exitCode: 0 });
  expect(await tidings(["whoami"], { TIDINGS_KEY: `tdk_${"x".repeat(40)}` })).toMatchObject({
    exitCode: 3,
    err: expect.stringContaining("not accepted"),
  });
  expect(await tidings(["publish", "-"], writer, "# Long\n\n" + "a".repeat(60_000))).toMatchObject({
    exitCode: 1,
    err: expect.stringContaining("at most 50,000 characters"),
  });
});
