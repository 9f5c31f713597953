import { randomUUID } from "node:crypto";
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Delivery, type SentEvent, type Webhook, webhookEvents, webhookPayloads } from "#contract/webhooks.ts";
import { readPublicDetails } from "#contract/rules/post-details.ts";
import { type Fate, type Received, type Receiver, startReceiver } from "../support/webhook-receiver.ts";
import { Client } from "./support/client.ts";
import { newKey, newPerson, newPost, newSubscriber, newTeam, newWorkspace, type Person, sql, type Team } from "./support/people.ts";
import { setPublic } from "./support/public.ts";
import { type SecondFunction, startFunction } from "./support/second-function.ts";

const stack = inject("stack");
const waiting = { timeout: 15_000, interval: 50 };
let team: Team;
let receiver: Receiver;
let path: string;

beforeAll(async () => {
  receiver = await startReceiver(({ path }, times): Fate => {
    if (path.startsWith("/fails")) return { status: 500, body: "out of order" };
    if (path.startsWith("/once")) return times === 1 ? { status: 500, body: "not yet" } : { status: 204 };
    if (path.startsWith("/resets")) return "reset";
    if (path.startsWith("/moved")) return { status: 301, headers: { location: `${receiver.url}/elsewhere` } };
    if (path.startsWith("/gone")) return { status: 410 };
    if (path.startsWith("/floods")) return "flood";
    if (path.startsWith("/hangs")) return "hang";
    if (path.startsWith("/busy")) return { status: 429, headers: { "retry-after": "600" } };
    return { status: 200, body: "thanks" };
  });
  team = await newTeam();
  path = await placeFor(team);
});
afterAll(() => receiver?.stop());

async function placeFor({ workspaceId }: { workspaceId: string }): Promise<string> {
  await setPublic(workspaceId, true);
  await sql`update public.mail_settings set undo_minutes = 0 where workspace_id = ${workspaceId}`;
  return `/api/workspaces/${workspaceId}/webhooks`;
}
async function newPlace(): Promise<{ owner: Person; id: string; path: string }> {
  const owner = await newPerson("Olive Owner");
  const { id } = await newWorkspace(owner);
  return { owner, id, path: await placeFor({ workspaceId: id }) };
}

interface Made {
  webhook: Webhook;
  secret: string;
  at: string;
}
async function make(name: string, body: object = {}, { owner, path: to } = { owner: team.admin, path }): Promise<Made> {
  const at = `/${name}-${randomUUID()}`;
  const answer = await owner.api.post<Made>(to, { url: receiver.url + at, events: webhookEvents, ...body });
  expect(answer.status).toBe(201);
  return { ...answer.body, at };
}
const deliveriesOf = async ({ webhook }: Made, query = "") =>
  (await team.owner.api.get<{ deliveries: Delivery[]; next: string | null }>(`${path}/${webhook.id}/deliveries${query}`)).body;
const pinged = async (made: Made, to = path) =>
  (await team.admin.api.post<{ delivery: Delivery }>(`${to}/${made.webhook.id}/ping`)).body.delivery;
const settled = async (made: Made) =>
  await expect
    .poll(async () => (await deliveriesOf(made)).deliveries[0], waiting)
    .toMatchObject({ tries: [expect.anything()] })
    .then(async () => (await deliveriesOf(made)).deliveries[0]!);
const dueNow = ({ webhook }: Made) =>
  sql`update private.jobs set run_at = now() where key = ${webhook.id} and task = 'send_webhook'`.then(
    () => sql`update private.webhooks set wait_until = null where id = ${webhook.id}`,
  );

const verified = (secret: string, { body, headers }: Received) =>
  new Verifier(secret).verify(body, headers) as { type: SentEvent; data: never };

test("every event arrives as the contract says, signed, and passes the published verifier", async () => {
  const made = await make("all");
  expect(made.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const post = { title: "One & two", status: "published", tags: ["fix"] };
  const { id, version, slug } = await newPost(team.editor, team.workspaceId, post);
  expect(slug).toMatch(/^one-two/);
  const heard = (count: number) => expect.poll(() => receiver.at(made.at).length, waiting).toBe(count);
  await heard(1);
  const requests = ["https://linear.app/acme/issue/ENG-12"];
  const details = {
    ...readPublicDetails(null),
    version: "1.12.0",
    breaking: true,
    button: { text: "Try it", url: "https://acme.example/" },
  };
  await team.editor.api.post(`/api/posts/${id}/requests`, { add: requests });
  await team.editor.api.put(`/api/posts/${id}`, { title: "Three", version, details });
  await heard(2);
  await team.editor.api.send("DELETE", `/api/posts/${id}`);
  await heard(3);
  await newPost(team.editor, team.workspaceId, { title: "Later", publish_at: new Date(Date.now() + 86_400_000).toISOString() });
  await heard(4);
  const email = `${randomUUID()}@reader.example`;
  const reader = await newSubscriber(team.workspaceId, email);
  await sql`update public.subscribers set status = 'pending' where id = ${reader}`;
  await sql`update public.subscribers set status = 'active' where id = ${reader}`;
  await heard(5);
  await sql`update public.subscribers set status = 'left' where id = ${reader}`;
  await heard(6);
  await pinged(made);
  await heard(7);

  const told = receiver.at(made.at).map((one) => verified(made.secret, one));
  expect(told.map(({ type }) => type)).toEqual([
    ...["post.published", "post.updated", "post.unpublished", "post.scheduled", "subscriber.confirmed", "subscriber.left", "webhook.ping"],
  ]);
  for (const one of told) expect(webhookPayloads[one.type].parse(one)).toEqual(one);
  expect(told[0]!.data).toMatchObject({
    workspace: { id: team.workspaceId, name: "Acme", subdomain: team.subdomain, url: expect.stringMatching(/\/releases$/) },
    post: {
      id,
      title: "One & two",
      slug,
      tags: ["fix"],
      content_text: "First words.",
      url: expect.stringMatching(new RegExp(`/releases/${slug}$`)),
    },
  });
  expect(told[1]!.data).toMatchObject({ post: { title: "Three", requests, ...details }, previous: { title: "One & two" } });
  expect(told[2]!.data).toMatchObject({ post: { id, title: "Three", slug: "one-two" } });
  expect(told[4]!.data).toMatchObject({ subscriber: { email, frequency: "instant", tags: null } });
  const { headers } = receiver.at(made.at)[0]!;
  expect(headers).toMatchObject({ "content-type": "application/json", "user-agent": "Tidings-Webhooks/1" });
  expect(new Set(receiver.at(made.at).map((one) => one.headers["webhook-id"])).size).toBe(7);
});

describe("a failed delivery is retried:", () => {
  test("it arrives under the same id with a new signature, and the log has both attempts", async () => {
    const made = await make("once");
    await pinged(made);
    const first = await settled(made);
    expect(first).toMatchObject({
      state: "waiting",
      status: 500,
      error: "Responded with 500",
      tries: [{ status: 500, answer: "not yet" }],
    });
    expect(Date.parse(first.next_try_at!) - Date.now()).toBeLessThan(6_000);
    await dueNow(made);
    await expect.poll(async () => (await deliveriesOf(made)).deliveries[0]!.state, waiting).toBe("done");
    const [delivery] = (await deliveriesOf(made)).deliveries;
    expect(delivery).toMatchObject({ status: 204, error: null, tries: [{ status: 500 }, { status: 204 }], next_try_at: null });
    const requests = receiver.at(made.at);
    expect(new Set(requests.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([delivery!.event.id]));
    for (const one of requests) expect(verified(made.secret, one).type).toBe("webhook.ping");
  });
});

describe("an admin", () => {
  test("resends a delivery: another one under the same webhook-id", async () => {
    const made = await make("again");
    await pinged(made);
    const first = await settled(made);
    const again = await team.admin.api.post<{ delivery: Delivery }>(`/api/workspaces/${team.workspaceId}/deliveries/${first.id}/resend`);
    expect([again.status, again.body.delivery]).toMatchObject([201, { again: true, event: { id: first.event.id } }]);
    expect(again.body.delivery.id).not.toBe(first.id);
    await expect.poll(() => receiver.at(made.at).length, waiting).toBe(2);
    const [one, two] = receiver.at(made.at);
    expect(two!.headers["webhook-id"]).toBe(one!.headers["webhook-id"]);
    expect(two!.body).toBe(one!.body);
    expect(verified(made.secret, two!).type).toBe("webhook.ping");
    await expect.poll(async () => (await deliveriesOf(made)).deliveries[0]!.state, waiting).toBe("done");
    const below = await team.admin.api.post(`${path}/${made.webhook.id}/deliveries/${first.id}/resend`);
    expect(below.status).toBe(201);
    const other = await make("other");
    const wrong = await team.admin.api.post(`${path}/${other.webhook.id}/deliveries/${first.id}/resend`);
    expect(wrong.status).toBe(404);
  });

  test("changes a webhook's events, URL and name, and deletes it", async () => {
    const made = await make("changed");
    const at = `/new-${randomUUID()}`;
    const changes = { url: receiver.url + at, events: ["post.updated"], tags: ["fix"], name: " Mirror ", enabled: false };
    const { body } = await team.admin.api.patch<{ webhook: Webhook }>(`${path}/${made.webhook.id}`, changes);
    expect(body.webhook).toMatchObject({ ...changes, name: "Mirror", off_reason: "by_hand" });
    expect((await team.admin.api.patch<{ webhook: Webhook }>(`${path}/${made.webhook.id}`, { tags: null })).body.webhook).toMatchObject({
      tags: null,
      events: ["post.updated"],
    });
    await team.admin.api.post(`${path}/${made.webhook.id}/enable`);
    await pinged(made);
    await expect.poll(() => receiver.at(at).length, waiting).toBe(1);
    expect((await team.admin.api.send("DELETE", `${path}/${made.webhook.id}`)).body).toEqual({ success: true });
    expect((await team.admin.api.get(`${path}/${made.webhook.id}/deliveries`)).status).toBe(404);
  });
});

describe("a webhook's URL", () => {
  let strict: SecondFunction;
  beforeAll(async () => void (strict = await startFunction(stack, "api", {})), 30_000);
  afterAll(async () => await strict?.stop());

  test.each(["http://hooks.example/", "https://10.0.0.1/", "https://user:pass@hooks.example/", "hooks.example"])(
    "%s is refused at the field",
    async (url) => {
      const { status, body } = await new Client(strict.url, team.owner.token).post(path, { url, events: ["post.published"] });
      expect([status, body.code, Object.keys(body.fields ?? {})]).toEqual([422, "validation_failed", ["url"]]);
    },
  );
});

describe("a program with a key", () => {
  test("adds its webhook, reads deliveries, and removes it, in its workspace and scope only", async () => {
    const api = (await newKey(team.admin, team.workspaceId, { scopes: ["webhooks:write"] })).api;
    const at = `/program-${randomUUID()}`;
    const made = await api.post<Made>("/api/v1/webhooks", { url: receiver.url + at, events: ["post.updated"] });
    expect([made.status, made.body]).toMatchObject([201, { secret: expect.stringMatching(/^whsec_/), webhook: { kind: "webhook" } }]);
    const { id } = made.body.webhook;
    expect((await api.post(`/api/v1/webhooks/${id}/ping`)).status).toBe(201);
    await expect.poll(() => receiver.at(at).length, waiting).toBe(1);
    expect(verified(made.body.secret, receiver.at(at)[0]!).type).toBe("webhook.ping");
    const log = () => api.get<{ deliveries: Delivery[]; next_cursor: string | null }>(`/api/v1/webhooks/${id}/deliveries?limit=1`);
    await expect.poll(async () => (await log()).body.deliveries[0]?.state, waiting).toBe("done");
    expect((await api.post(`/api/v1/deliveries/${(await log()).body.deliveries[0]!.id}/resend`)).status).toBe(201);
    await expect.poll(() => receiver.at(at).length, waiting).toBe(2);
    expect((await log()).body.next_cursor).toEqual(expect.any(String));
    const changed = await api.patch<{ webhook: Webhook }>(`/api/v1/webhooks/${id}`, { enabled: false });
    expect(changed.body.webhook).toMatchObject({ enabled: false, events: ["post.updated"] });
    expect((await api.post("/api/v1/webhooks", { url: receiver.url, events: ["post.updated"], event: "x" })).status).toBe(422);
    const place = await newPlace();
    const foreign = (await newKey(place.owner, place.id, { scopes: ["webhooks:write"] })).api;
    expect((await foreign.patch(`/api/v1/webhooks/${id}`, { name: "x" })).status).toBe(404);
    const reader = (await newKey(team.admin, team.workspaceId, { scopes: ["posts:write"] })).api;
    const refused = await reader.get("/api/v1/webhooks");
    expect([refused.status, refused.body.code]).toEqual([403, "scope_missing"]);
    expect((await api.delete(`/api/v1/webhooks/${id}`)).body).toEqual({ success: true });
    expect((await api.get<{ webhooks: Webhook[] }>("/api/v1/webhooks")).body.webhooks.map((one) => one.id)).not.toContain(id);
  });
});

describe("a chat", () => {
  test.each([
    ["slack", (body: { blocks: { text?: { text: string } }[] }) => body.blocks[0]!.text!.text],
    ["discord", (body: { embeds: { title: string }[] }) => body.embeds[0]!.title],
    ["teams", (body: { attachments: { content: { body: { text: string }[] } }[] }) => body.attachments[0]!.content.body[0]!.text],
  ] as const)("%s gets a message in its own format, unsigned", async (kind, titleOf) => {
    const made = await make(kind, { kind, events: ["post.published"], tags: ["fix"] });
    expect([made.secret, made.webhook.url]).toEqual([null, expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/…\w{4}$/)]);
    await newPost(team.editor, team.workspaceId, { title: "Not for them", status: "published", tags: ["docs"] });
    await newPost(team.editor, team.workspaceId, { title: "For them", status: "published", tags: ["fix"] });
    await expect.poll(() => receiver.at(made.at).length, waiting).toBe(1);
    const [one] = receiver.at(made.at);
    expect(titleOf(JSON.parse(one!.body) as never)).toBe("For them");
    expect(Object.keys(one!.headers).filter((name) => name.startsWith("webhook"))).toEqual([]);
  });
});
