import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { writePackages } from "../../scripts/release/packages.ts";
import { freePort, type StackFile } from "../support/stack.ts";
import { overrides, publishLocally, serverIn } from "./packages.ts";
import { newSession } from "./session.ts";
import { stepsIn } from "./steps.ts";

const root = path.resolve(import.meta.dirname, "../..");
const quiet = ["--no-audit", "--no-fund", "--silent", "--legacy-peer-deps", "--ignore-scripts"];
const title = "Written by n8n";

/**
 * Compiles and lints the n8n nodes with n8n's own tools, installs them from a local registry into a real n8n, and runs two workflows there: one
 * writes and publishes a post, the other starts when it was published. A string: skipped, and why.
 */
export async function tryNodes(cache: string, stack: StackFile): Promise<boolean | string> {
  const tools = path.join(cache, "n8n-tools");
  const product = path.join(cache, "n8n"); // apart, as n8n needs its own versions of what the tools need
  const areInstalled = installIn(tools, toolPackages, "verdaccio") && installIn(product, { n8n: "2.40.7" }, "n8n");
  if (!areInstalled) return "Couldn't install n8n.";
  const bin = (name: string): string => path.join(name === "n8n" ? product : tools, "node_modules/.bin", name);

  const folder = mkdtempSync(path.join(os.tmpdir(), "tidings-n8n-"));
  const database = `n8n_${process.pid}`;
  const owner = postgres(stack.ownerUrl, { max: 1, onnotice: () => undefined });
  const port = await freePort();
  const { serve, stop } = serverIn(settingsOf(folder, port, new URL(stack.ownerUrl), database, await freePort()));
  try {
    const packages = await writePackages(path.join(folder, "work"), folder);
    const source = path.join(folder, "source");
    cpSync(path.join(root, "n8n"), source, { recursive: true });
    cpSync(path.join(root, "web/public/icon.svg"), path.join(source, "nodes/Tidings/tidings.svg"));
    cpSync(path.join(folder, "work/n8n/package.json"), path.join(source, "package.json"));
    writeFileSync(path.join(source, "eslint.config.mjs"), 'export { config as default } from "@n8n/node-cli/eslint";\n');
    symlinkSync(path.join(tools, "node_modules"), path.join(source, "node_modules"));
    const inSource = stepsIn(source, {});
    const isSound =
      inSource("the nodes compile with n8n's types", bin("tsc"), "--noEmit") && inSource("n8n's linter accepts them", bin("eslint"), ".");
    if (!isSound) return false;

    const registry = await publishLocally(packages.slice(2), folder, bin("verdaccio"), serve);
    if (registry === null) return false;
    const nodes = path.join(folder, ".n8n/nodes");
    mkdirSync(nodes, { recursive: true });
    writeFileSync(path.join(nodes, "package.json"), '{ "private": true }');
    const install = ["install", ...quiet, "n8n-nodes-tidings", "--registry", registry];
    if (!stepsIn(nodes, {})("npm installs n8n-nodes-tidings", "npm", ...install)) return false;

    await owner`create database ${owner(database)}`;
    const url = `http://127.0.0.1:${port}`;
    if (!(await serve(`${url}/healthz/readiness`, folder, process.execPath, bin("n8n"), "start"))) return false;
    return await runWorkflows(url, stack);
  } finally {
    stop();
    await wait(1_000); // n8n ends its connections
    await owner`drop database if exists ${owner(database)} with (force)`;
    await owner.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

function installIn(folder: string, dependencies: Record<string, string>, program: string): boolean {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ private: true, dependencies, overrides }));
  return (
    existsSync(path.join(folder, "node_modules/.bin", program)) ||
    stepsIn(folder, {})(`npm installs ${program}`, "npm", "install", ...quiet)
  );
}

async function runWorkflows(url: string, stack: StackFile): Promise<boolean> {
  const { key, token, workspaceId } = await newSession(stack);
  const tidings = clientOf(stack.url, { authorization: `Bearer ${key}` });
  const asOwner = clientOf(stack.url, { authorization: `Bearer ${token}`, origin: stack.publicUrl });
  await asOwner("PUT", `/api/workspaces/${workspaceId}/mail-settings`, { undo_minutes: 0 });

  const headers: Record<string, string> = {};
  const n8n = clientOf(`${url}/rest`, headers);
  const person = { email: "peer@example.com", firstName: "Paula", lastName: "Peer", password: "Correct-horse-1" };
  headers["cookie"] = (await untilOk(() => n8n("POST", "/owner/setup", person))).headers.getSetCookie()[0]!.split(";")[0]!;
  const credential = { name: "Tidings", type: "tidingsApi", data: { host: `${stack.url}/`, apiKey: key } };
  const { data: saved } = (await n8n("POST", "/credentials", credential)).body as Answer<{ id: string }>;
  const checks: [string, boolean][] = [];
  const tested = await n8n("POST", "/credentials/test", { credentials: { ...credential, id: saved.id } });
  checks.push(["n8n accepts the credential", (tested.body as Answer<{ status: string }>).data.status === "OK"]);

  const start = async (workflow: ReturnType<typeof workflowOf>) => {
    const { data } = (await n8n("POST", "/workflows", workflow)).body as Answer<{ id: string; versionId: string }>;
    await n8n("POST", `/workflows/${data.id}/activate`, { versionId: data.versionId });
    return data.id;
  };
  const credentials = { tidingsApi: { id: saved.id, name: "Tidings" } };
  const trigger = await start(workflowOf("Announce", announcing(credentials)));
  const listed = async () => ((await tidings("GET", "/api/v1/webhooks")).body as { webhooks: Webhook[] }).webhooks;
  await eventually(async () => (await listed()).length === 1);
  const [webhook] = await listed();
  checks.push(["the trigger creates a webhook", webhook?.events.join() === "post.published" && webhook.tags.join() === "feature"]);

  await start(workflowOf("Write", writing(credentials)));
  const run = await untilOk(() => clientOf(url, {})("POST", "/webhook/write"), 10).catch(async () => ({ body: await lastRun(n8n) })); // it listens a moment later
  const answer = run.body as { status?: string; title?: string; tags?: string[]; published_at?: string };
  const isWritten = answer.status === "published" && answer.title === title && answer.tags?.join() === "feature";
  checks.push(["a workflow writes, lists and publishes a post", isWritten]);
  if (!isWritten) console.log(JSON.stringify(answer).slice(0, 6000));

  const isAnnounced = async (): Promise<boolean> => {
    const { posts } = (await tidings("GET", "/api/v1/posts?status=draft")).body as { posts: { title: string }[] };
    return posts.some((post) => post.title === `Announced: ${title}`);
  };
  checks.push(["post.published starts the other workflow", await eventually(isAnnounced)]);
  const forged = await fetch(webhook?.url ?? url, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
  checks.push(["the trigger refuses a request without a signature", forged.status === 401]);

  await start(exampleOf(credentials));
  const release = { release: { tag_name: "v9.1", name: "Version 9.1", body: "- Faster" } };
  await untilOk(() => clientOf(url, {})("POST", "/webhook/github-release-5d2e8a90", release), 10);
  const isDrafted = async (): Promise<boolean> => {
    const { posts } = (await tidings("GET", "/api/v1/posts?status=draft&tag=improvement")).body as { posts: { external_id: string }[] };
    return posts.some(({ external_id }) => external_id === "v9.1");
  };
  checks.push(["the workflow of docs/connectors.md drafts a release", await eventually(isDrafted)]);

  await n8n("POST", `/workflows/${trigger}/deactivate`, {});
  checks.push(["the stopped trigger deletes its webhook", await eventually(async () => (await listed()).length === 0)]);
  for (const [name, isGood] of checks) console.log(`${isGood ? "✓" : "✗"} ${name}`);
  return checks.every(([, isGood]) => isGood);
}

interface Webhook {
  url: string;
  events: string[];
  tags: string[];
}

interface Answer<Data> {
  data: Data;
}

const clientOf = (base: string, headers: Record<string, string>) => async (method: string, address: string, body?: object) => {
  const answer = await fetch(base + address, {
    ...{ method, headers: { "content-type": "application/json", ...headers } },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${address} answers ${answer.status}: ${text.slice(0, 500)}`);
  return { headers: answer.headers, body: JSON.parse(text) as unknown };
};

/** The last execution as n8n stores it, for a failed check. */
async function lastRun(n8n: ReturnType<typeof clientOf>): Promise<unknown> {
  const { data } = (await n8n("GET", "/executions?limit=1")).body as Answer<{ results: { id: string }[] }>;
  return data.results[0] && (await n8n("GET", `/executions/${data.results[0].id}`)).body;
}

async function eventually(check: () => Promise<boolean>): Promise<boolean> {
  for (let left = 60; left > 0; left--, await wait(500)) if (await check()) return true;
  return false;
}

async function untilOk<Result>(call: () => Promise<Result>, left = 40): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (left === 0) throw error;
    await wait(500);
    return untilOk(call, left - 1);
  }
}

const settingsOf = (folder: string, port: number, database: URL, name: string, brokerPort: number): Record<string, string> => ({
  N8N_USER_FOLDER: folder,
  N8N_PORT: String(port),
  N8N_LISTEN_ADDRESS: "127.0.0.1",
  N8N_RUNNERS_BROKER_PORT: String(brokerPort),
  WEBHOOK_URL: `http://127.0.0.1:${port}/`,
  N8N_SECURE_COOKIE: "false",
  DB_TYPE: "postgresdb", // SQLite's package downloads a program when it is installed
  DB_POSTGRESDB_HOST: database.hostname,
  DB_POSTGRESDB_PORT: database.port,
  DB_POSTGRESDB_USER: database.username,
  DB_POSTGRESDB_PASSWORD: decodeURIComponent(database.password),
  DB_POSTGRESDB_DATABASE: name,
  N8N_DIAGNOSTICS_ENABLED: "false",
  N8N_VERSION_NOTIFICATIONS_ENABLED: "false",
  N8N_TEMPLATES_ENABLED: "false",
  N8N_PERSONALIZATION_ENABLED: "false",
});

const toolPackages = {
  ...{ "@n8n/node-cli": "0.48.3", "@types/node": "24.19.2", eslint: "9.39.4", "n8n-workflow": "2.41.0" },
  ...{ typescript: "5.9.3", verdaccio: "6.10.4" },
};

interface WorkflowNode {
  name: string;
  type: string;
  typeVersion: number;
  parameters: object;
  credentials?: object;
  webhookId?: string;
}

/** Nodes that run one after the other. */
const workflowOf = (name: string, nodes: WorkflowNode[]) => ({
  ...{ name, active: false, settings: { executionOrder: "v1" } },
  nodes: nodes.map((node, at) => ({ ...node, id: `${name}-${at}`, position: [at * 240, 0] })),
  connections: Object.fromEntries(
    nodes.slice(1).map(({ name: node }, at) => [nodes[at]!.name, { main: [[{ node, type: "main", index: 0 }]] }]),
  ),
});

function exampleOf(credentials: object): ReturnType<typeof workflowOf> {
  const [, json = ""] = /```json\n([^]*?)```/.exec(readFileSync(path.join(root, "docs/connectors.md"), "utf8")) ?? [];
  const { nodes } = JSON.parse(json) as { nodes: WorkflowNode[] };
  const [webhook, node] = nodes as [WorkflowNode, WorkflowNode];
  return workflowOf("Documented", [
    { ...webhook, webhookId: "documented" },
    { ...node, credentials },
  ]);
}

const tidingsNode = (name: string, credentials: object, parameters: object): WorkflowNode => ({
  ...{ name, type: "n8n-nodes-tidings.tidings", typeVersion: 1, parameters, credentials },
});

const announcing = (credentials: object): WorkflowNode[] => [
  {
    ...{ name: "Published", type: "n8n-nodes-tidings.tidingsTrigger", typeVersion: 1, credentials, webhookId: "announce" },
    parameters: { events: ["post.published"], tags: "feature" },
  },
  tidingsNode("Draft", credentials, {
    ...{ resource: "post", operation: "create", title: "=Announced: {{ $json.data.post.title }}" },
    ...{ markdown: "={{ $json.data.post.excerpt }}", additionalFields: {} },
  }),
];

const writing = (credentials: object): WorkflowNode[] => [
  {
    ...{ name: "Start", type: "n8n-nodes-base.webhook", typeVersion: 2, webhookId: "write" },
    parameters: { httpMethod: "POST", path: "write", responseMode: "lastNode", options: {} },
  },
  tidingsNode("Tag", credentials, { resource: "tag", operation: "create", label: "Workflow", colour: "green" }),
  tidingsNode("Write", credentials, {
    ...{ resource: "post", operation: "upsert", externalId: "n8n/1.0", title, markdown: "**Hello** from n8n" },
    additionalFields: { tags: "Workflow, other" },
  }),
  tidingsNode("Update", credentials, {
    ...{ resource: "post", operation: "update", id: "={{ $json.id }}", updateFields: { tags: "feature", summary: "A short one" } },
  }),
  tidingsNode("Publish", credentials, { resource: "post", operation: "publish", id: "={{ $json.id }}" }),
  tidingsNode("List", credentials, {
    resource: "post",
    operation: "getAll",
    returnAll: true,
    filters: { status: "published", tag: "feature" },
  }),
];
