import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { ApiKey } from "#contract/api-keys.ts";
import type { Role } from "#contract/kinds.ts";
import type { Delivery, Webhook } from "#contract/webhooks.ts";
import { acme, ada, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { stubApi } from "../../../tests/support/web/stub-api.ts";
import { moment } from "../../lib/moment.ts";
import { scopeGroups, scopeLabels } from "./scope-labels.ts";

const settings = `/workspace/${ids.acme}/settings`;
const day = "2026-01-05T09:00:00.000Z";
const later = new Date(Date.now() + 3_600_000).toISOString();

const key: ApiKey = {
  id: "99999999-9999-4999-8999-999999999991",
  name: "Release pipeline",
  scopes: ["posts:read", "posts:write"],
  start: "tdk_abcd",
  last4: "wxyz",
  state: "active",
  created_by: ids.person,
  created_by_name: ada.full_name,
  created_at: day,
  ...{ expires_at: null, last_used_at: null, rotated_at: null, former_until: null, revoked_at: null },
};
const others: ApiKey = {
  ...key,
  id: "99999999-9999-4999-8999-999999999992",
  name: "Grace's",
  created_by: ids.globex,
  created_by_name: "Grace",
};
const revoked: ApiKey = { ...key, id: "99999999-9999-4999-8999-999999999993", name: "Old one", state: "revoked", revoked_at: day };

const hook: Webhook = {
  id: "88888888-8888-4888-8888-888888888881",
  kind: "webhook",
  name: "Website",
  url: "https://example.com/hooks",
  events: ["post.published"],
  tags: null,
  enabled: true,
  ...{ off_reason: null, off_at: null, old_secret_until: null, failing_since: null, last_success_at: day, last_try_at: day },
  waiting: 0,
  created_at: day,
};
const slack: Webhook = {
  ...hook,
  id: "88888888-8888-4888-8888-888888888882",
  kind: "slack",
  name: "#releases",
  url: "https://hooks.slack.com/…cret",
};
const failing: Webhook = { ...hook, id: "88888888-8888-4888-8888-888888888883", name: "Broken", failing_since: day, waiting: 3 };
const off: Webhook = { ...hook, id: "88888888-8888-4888-8888-888888888884", name: "Gone", enabled: false, off_reason: "gone", off_at: day };

const failed: Webhook = { ...off, id: "88888888-8888-4888-8888-888888888885", name: "Silent", off_reason: "failing" };
const unwanted: Webhook = { ...off, id: "88888888-8888-4888-8888-888888888886", name: "Unwanted", off_reason: "by_hand" };

const arrived: Delivery = {
  id: "77777777-7777-4777-8777-777777777771",
  event: { id: "66666666-6666-4666-8666-666666666661", type: "post.published", about: "Dark mode", post_id: ids.post, happened_at: day },
  state: "done",
  again: false,
  status: 200,
  error: null,
  tries: [{ at: day, status: 200, ms: 31, error: null, answer: "thank you" }],
  created_at: day,
  next_try_at: null,
  ended_at: day,
};
const broken: Delivery = {
  ...arrived,
  id: "77777777-7777-4777-8777-777777777772",
  state: "failed",
  status: 500,
  error: "Responded with 500",
  tries: [
    { at: day, status: null, ms: 15_000, error: "There was no answer in time", answer: null },
    { at: day, status: 500, ms: 12, error: "Responded with 500", answer: "<h1>Oh no</h1>" },
  ],
};

const message = {
  example: true,
  shown: { title: "Faster search", url: "https://acme.example", text: "Twice as fast.", tags: ["feature"] },
  body: { type: "post.published" },
};
const stubs = (more: object = {}, role: Role = "owner") => ({
  ...signedIn([{ ...acme, role }]),
  "GET /api/workspaces/*/keys": { keys: [key, others, revoked] },
  "GET /api/workspaces/*/assistants": { assistants: [] },
  "GET /api/workspaces/*/webhooks": { webhooks: [hook, slack, failing, off] },
  "GET /api/workspaces/*/tags": { tags: [{ key: "feature", label: "Feature", colour: "green" }], carried: [], former: {} },
  "POST /api/workspaces/*/webhooks/preview": message,
  ...more,
});
const keysTable = () => screen.findByRole("table", { name: "API keys" });

describe("API keys", () => {
  test("show permissions, last use and expiry, with ended keys apart", async () => {
    stubApi(stubs({ "GET /api/workspaces/*/keys": { keys: [{ ...key, former_until: later, expires_at: later }, revoked] } }));
    renderApp(`${settings}/api-keys`);
    const [, row] = within(await keysTable()).getAllByRole("row");
    expect(row!.textContent).toContain("tdk_abcd…wxyzby Ada Lovelace");
    expect(row!.textContent).toContain("The old secret works until");
    expect(row!.textContent).toContain("Read postsWrite draftsNever");
    expect(screen.getByText("1 revoked or expired key").closest("details")!.textContent).toContain("Old one");
  });

  test("every permission has words, and stands in one group", () => {
    expect(scopeGroups.flatMap(([, scopes]) => scopes).toSorted()).toEqual(Object.keys(scopeLabels).toSorted());
  });
});

describe("webhooks and chats", () => {
  test("show target, events and status", async () => {
    stubApi(stubs({ "GET /api/workspaces/*/webhooks": { webhooks: [hook, slack, failing, off, failed, unwanted] } }));
    const { unmount } = renderApp(`${settings}/webhooks`);
    const rows = within(await screen.findByRole("table", { name: "Webhooks" })).getAllByRole("row");
    expect(rows.map(({ textContent }) => textContent).slice(1)).toEqual([
      expect.stringContaining("Websitehttps://example.com/hooksPost publishedWorking"),
      expect.stringContaining("Failing since"),
      expect.stringContaining(`Off since ${moment(day)}: it returned 410 Gone`),
      expect.stringContaining(`Off since ${moment(day)}: deliveries failed for three days`),
      expect.stringContaining(`Turned off since ${moment(day)}`),
    ]);
    expect(rows[2]!.textContent).toContain("3 waiting");
    unmount();
    renderApp(`${settings}/chat`);
    const chats = within(await screen.findByRole("table", { name: "Chat" })).getAllByRole("row");
    expect(chats[1]!.textContent).toContain("#releasesSlack · https://hooks.slack.com/…cret");
  });

  test("a chat that is changed keeps its address, which is not shown, unless another is pasted", async () => {
    const api = stubApi(stubs({ "PATCH /api/workspaces/*/webhooks/*": { webhook: slack } }));
    const { user } = renderApp(`${settings}/chat`);
    await user.click(await screen.findByRole("button", { name: "Actions for #releases" }));
    await user.click(await screen.findByRole("menuitem", { name: "Edit" }));
    const dialog = await screen.findByRole("dialog");
    expect(within(dialog).getByRole<HTMLInputElement>("textbox", { name: /Webhook URL/ }).value).toBe("");
    await user.click(within(dialog).getByRole("button", { name: "Save" }));
    await waitFor(() => expect(api.to(`PATCH /api/workspaces/${ids.acme}/webhooks/${slack.id}`)).toHaveLength(1));
    expect(api.to(`PATCH /api/workspaces/${ids.acme}/webhooks/${slack.id}`)[0]!.body).not.toHaveProperty("url");
  });
});

describe("delivery log", () => {
  const at = (webhook: Webhook) => `${settings}/webhooks/${webhook.id}`;
  const log = (deliveries: Delivery[], next: string | null = null) => ({
    "GET /api/workspaces/*/webhooks/*/deliveries": { deliveries, next },
  });

  test("says of one that is to be tried again when, also while it is folded", async () => {
    const waiting: Delivery = { ...broken, state: "waiting", ended_at: null, next_try_at: later };
    stubApi(stubs(log([waiting, { ...waiting, id: arrived.id, tries: [], status: null, error: null }])));
    const { user } = renderApp(at(hook));
    const line = await screen.findByRole("button", { name: /Retrying · 500/ });
    expect(line.textContent).toContain(`Next attempt: ${moment(later)}`);
    expect(screen.getByRole("button", { name: /Sending/ }).textContent).not.toContain("Next attempt");
    await user.click(line);
    expect(line.textContent).not.toContain("Next attempt");
    expect(line.closest("li")!.textContent).toContain(`Next attempt${moment(later)}`);
  });
});
