import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Sql } from "postgres";
import { assistantScopes } from "#contract/oauth.ts";
import { startReceiver } from "../../tests/support/webhook-receiver.ts";
import { desk, type Scene, showAs, type Stage } from "./stage.ts";

const developers: Scene = async (stage) => {
  const dana = await stage.dana();
  const other = await startReceiver(({ path }, times) =>
    path.startsWith("/hooks") && times === 1 ? { status: 503, body: "Back in a minute" } : { status: 200, body: "ok" },
  );
  const made: [string, object][] = [
    ["keys", { name: "Numbers for the wall", scopes: ["stats:read"] }],
    ["keys", { name: "Release pipeline", scopes: ["posts:read", "posts:write", "posts:publish", "tags:write", "media:write"] }],
    ["webhooks", { name: "Website search", url: `${other.url}/hooks/tidings`, events: ["post.published", "post.updated"] }],
    ["webhooks", { name: "#releases", url: `${other.url}/services/T000/B000/example`, events: ["post.published"], kind: "slack" }],
  ];
  let secret = "";
  for (const [path, data] of made) {
    const answer = await stage.ask<{ secret?: string }>(dana, "POST", stage.api(path), data);
    if (path === "keys") secret = answer.secret!;
  }
  try {
    const written = await fetch(`${stage.stack.publicUrl}/api/v1/posts/by-external-id/v1.2.0`, {
      method: "PUT",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ title: "Version 1.2", markdown: "Results **while you type**.", tags: ["feature"], status: "published" }),
    });
    if (!written.ok) throw new Error(`The pipeline couldn't write: ${written.status} ${await written.text()}`);
    const { post } = (await written.json()) as { post: { id: string } };
    await arrived(stage.sql, 2);
    await showAs(dana, "**/api/workspaces/*/webhooks**", [
      [`${other.url}/…`, "https://hooks.slack.com/…"],
      [`${other.url}/hooks`, "https://example.com/hooks"],
    ]);
    await dana.goto(stage.path("settings/webhooks"));
    await dana.getByRole("table", { name: "Webhooks" }).waitFor();
    await stage.draw(dana, "developers");
    await dana.setViewportSize({ width: 1280, height: 880 });
    await dana.getByRole("link", { name: "Website search" }).click();
    await dana.getByRole("button", { name: /Delivered · 200/ }).click();
    await dana.getByRole("list", { name: "Attempts" }).waitFor();
    await stage.draw(dana, "deliveries");
    await stage.discard(dana, post.id);
  } finally {
    await dana.unroute("**/api/workspaces/*/webhooks**");
    await dana.setViewportSize(desk);
    other.stop();
  }
};

async function arrived(sql: Sql, many: number): Promise<void> {
  const until = Date.now() + 60_000;
  for (;;) {
    await sql`update private.jobs set run_at = now() where task = 'send_webhook' and locked_by is null and run_at > now()`; // speed: no wait for the retry
    const [row] = await sql<{ n: number }[]>`select count(*)::int as n from private.webhook_deliveries where state = 'done'`;
    if (row!.n >= many) return;
    if (Date.now() > until) throw new Error(`Of ${many} deliveries ${row!.n} arrived within a minute`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Local stand-in for an assistant; the picture shows a host that readers know. */
const assistants: Scene = async (stage) => {
  const page = await stage.dana();
  const server = createServer((request, response) => {
    if (request.url!.startsWith("/callback"))
      return void response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><h1>Back at the assistant</h1>");
    const redirect_uris = [`${own}/callback`];
    const document = { client_id: `${own}/client.json`, client_name: "Claude", redirect_uris, token_endpoint_auth_method: "none" };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const own = `http://${host}`;
  await page.route("**/api/oauth/request?*", async (route) => {
    const response = await route.fetch();
    const asked = (await response.json()) as { state: string; client: object; redirect: object };
    if (asked.state !== "ask") throw new Error(`no request: ${JSON.stringify(asked)}`);
    const host = "claude.ai";
    const redirect = { ...asked.redirect, host, kind: "web", uri: `https://${host}/api/mcp/auth_callback` };
    await route.fulfill({ response, json: { ...asked, client: { ...asked.client, host }, redirect } });
  });
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    response_type: "code",
    client_id: `${own}/client.json`,
    redirect_uri: `${own}/callback`,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    scope: assistantScopes.join(" "),
    state: "s",
  });
  await page.setViewportSize({ width: 1280, height: 880 });
  await page.goto(`/oauth/authorize?${query}`);
  await page.getByRole("button", { name: "Allow", exact: true }).waitFor();
  await stage.draw(page, "consent");
  await page.unroute("**/api/oauth/request?*");
  await page.setViewportSize(desk);
  await page.reload();
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await page.getByRole("heading", { name: "Back at the assistant" }).waitFor();
  const token = await tokenFor(stage, { code: new URL(page.url()).searchParams.get("code")!, verifier, own });
  server.close();

  const id = await stage.seeded(/Scheduled publishing/);
  const markdown = "Choose a date and time. The post is published at that minute, in your time zone, even at night.";
  await useTool(stage, token, "propose_change", { id, expected_version: 1, markdown, note: "Shorter, in our house style." });
  await stage.open(page, id);
  await page.getByRole("button", { name: "View changes" }).waitFor();
  await stage.draw(page, "proposal");
  await showAs(page, "**/api/workspaces/*/assistants**", [[host, "claude.ai"]]);
  await page.goto(stage.path("settings/assistants"));
  await page.getByRole("table", { name: "Assistants" }).waitFor();
  await stage.draw(page, "assistants", page.getByRole("region", { name: "Assistants", exact: true }));
  await page.unroute("**/api/workspaces/*/assistants**");
};

interface Answered {
  code: string;
  verifier: string;
  own: string;
}

async function tokenFor(stage: Stage, { code, verifier, own }: Answered): Promise<string> {
  const body = new URLSearchParams({
    ...{ grant_type: "authorization_code", code, code_verifier: verifier },
    ...{ client_id: `${own}/client.json`, redirect_uri: `${own}/callback` },
  });
  const answer = await fetch(`${stage.stack.publicUrl}/api/oauth/token`, { method: "POST", body });
  if (!answer.ok) throw new Error(`No token: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { access_token: string }).access_token;
}

async function useTool(stage: Stage, token: string, name: string, given: object): Promise<void> {
  const answer = await fetch(`${stage.stack.publicUrl}/api/mcp`, {
    method: "POST",
    headers: {
      ...{ authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...{ accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18" },
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } }),
  });
  const said = await answer.text();
  if (!answer.ok || said.includes('"isError":true')) throw new Error(`${name}: ${answer.status} ${said}`);
}

export const machines = { assistants, developers };
