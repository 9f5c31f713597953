import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import type { ApiKey } from "#contract/api-keys.ts";
import type { Role } from "#contract/kinds.ts";
import type { Delivery, Webhook } from "#contract/webhooks.ts";
import { acme, ada, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { pending, refusal, stubApi } from "../../../tests/support/web/stub-api.ts";
import { moment } from "../../lib/moment.ts";
import { expiryOf } from "./key-draft.ts";
import { samples } from "./samples.ts";
import { scopeGroups, scopeWords } from "./scope-words.ts";

const address = `/workspace/${ids.acme}/developers`;
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
  error: "It answered 500",
  tries: [
    { at: day, status: null, ms: 15_000, error: "There was no answer in time", answer: null },
    { at: day, status: 500, ms: 12, error: "It answered 500", answer: "<h1>Oh no</h1>" },
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
const empty = { "GET /api/workspaces/*/keys": { keys: [] }, "GET /api/workspaces/*/webhooks": { webhooks: [] } };
const keysTable = () => screen.findByRole("table", { name: "API keys" });
const secret = `tdk_${"a".repeat(36)}`;

describe("keys", () => {
  test("say what they may, when they were used and end; those that ended stand aside", async () => {
    stubApi(stubs({ "GET /api/workspaces/*/keys": { keys: [{ ...key, former_until: later, expires_at: later }, revoked] } }));
    renderApp(address);
    const [, row] = within(await keysTable()).getAllByRole("row");
    expect(row!.textContent).toContain("tdk_abcd…wxyzby Ada Lovelace");
    expect(row!.textContent).toContain("The old secret works until");
    expect(row!.textContent).toContain("Read postsWrite draftsNot yet");
    expect(screen.getByText("1 key has ended").closest("details")!.textContent).toContain("Old one");
  });

  test("are loading, empty, or asked for again", async () => {
    const answer = pending<object>();
    const api = stubApi(stubs({ ...empty, "GET /api/workspaces/*/keys": () => answer.promise }));
    const { user } = renderApp(address);
    await screen.findByText("Loading the keys");
    answer.reject(new TypeError("Failed to fetch"));
    const alert = (await screen.findByText("The keys could not be read")).closest<HTMLElement>("[role=alert]")!;
    api.set({ "GET /api/workspaces/*/keys": { keys: [] } });
    await user.click(within(alert).getByRole("button", { name: "Try again" }));
    await screen.findByText("No key yet");
    expect(screen.getByText("No webhook yet")).toBeTruthy();
    expect(screen.getByText("No chat connected")).toBeTruthy();
  });

  test("a new one proposes to read and write, not to publish; the secret is left only by saying that it is kept", async () => {
    const api = stubApi(stubs({ "POST /api/workspaces/*/keys": { key, secret } }));
    const { user } = renderApp(address);
    await user.click(await screen.findByRole("button", { name: "New API key" }));
    const dialog = await screen.findByRole("dialog", { name: "New API key" });
    const box = (label: string) => within(dialog).getByRole<HTMLInputElement>("checkbox", { name: label });
    expect([box("Read posts").checked, box("Write drafts").checked, box("Publish").checked]).toEqual([true, true, false]);
    expect(dialog.textContent).toContain("It may never do more than you may yourself");
    await user.click(box("Publish"));
    await user.type(within(dialog).getByRole("textbox", { name: "Name" }), "CI");
    await user.selectOptions(within(dialog).getByRole("combobox", { name: "Ends" }), "Never by itself");
    await user.click(within(dialog).getByRole("button", { name: "Make the key" }));
    const shown = await screen.findByRole("dialog", { name: "Release pipeline is made" });
    expect(api.to(`POST /api/workspaces/${ids.acme}/keys`)[0]!.body).toEqual({
      name: "CI",
      scopes: expect.arrayContaining(["posts:read", "posts:write", "posts:publish"]),
      expires_at: null,
    });
    expect(within(shown).getByRole<HTMLInputElement>("textbox", { name: "API key" }).value).toBe(secret);
    await user.keyboard("{Escape}");
    expect(within(shown).getByRole<HTMLButtonElement>("button", { name: "Done" }).disabled).toBe(true);
    expect(within(shown).queryByRole("button", { name: "Close" })).toBeNull();
    await user.click(within(shown).getByRole("button", { name: "Copy the API key" }));
    expect(await navigator.clipboard.readText()).toBe(secret);
    expect(within(shown).getByRole<HTMLInputElement>("checkbox", { name: "I have copied it to a safe place" }).checked).toBe(true);
    await user.click(within(shown).getByRole("button", { name: "Done" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(document.body.textContent).not.toContain(secret);
  });

  test("what was typed stays when the dialog is closed by accident; nothing chosen, no day, and what the server says stand at the fields", async () => {
    const api = stubApi(stubs({ "POST /api/workspaces/*/keys": refusal("validation_failed", { name: "This workspace has 50 keys." }) }));
    const { user } = renderApp(address);
    await user.click(await screen.findByRole("button", { name: "New API key" }));
    await user.type(await screen.findByRole("textbox", { name: "Name" }), "CI");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.click(screen.getByRole("button", { name: "New API key" }));
    const dialog = await screen.findByRole("dialog");
    expect(within(dialog).getByRole<HTMLInputElement>("textbox", { name: "Name" }).value).toBe("CI");
    for (const label of ["Read posts", "Write drafts", "Change tags", "Upload images"])
      await user.click(within(dialog).getByRole("checkbox", { name: label }));
    await user.selectOptions(within(dialog).getByRole("combobox", { name: "Ends" }), "On a day…");
    await user.click(within(dialog).getByRole("button", { name: "Make the key" }));
    await screen.findByText("Please choose what this key may do");
    expect(screen.getByText("Please choose a day")).toBeTruthy();
    expect(api.to(`POST /api/workspaces/${ids.acme}/keys`)).toEqual([]);
    await user.click(within(dialog).getByRole("checkbox", { name: "Read posts" }));
    await user.selectOptions(within(dialog).getByRole("combobox", { name: "Ends" }), "In 30 days");
    await user.click(within(dialog).getByRole("button", { name: "Make the key" }));
    await screen.findByText("This workspace has 50 keys.");
  });

  test("one's own gets a new secret, anybody's is revoked, each after one question", async () => {
    const api = stubApi(
      stubs({
        "POST /api/workspaces/*/keys/*/rotate": { key: { ...key, former_until: later }, secret },
        "DELETE /api/workspaces/*/keys/*": { success: true },
      }),
    );
    const { user } = renderApp(address);
    await user.click(await screen.findByRole("button", { name: "Actions for Grace's" }));
    await screen.findByRole("menuitem", { name: "Revoke" });
    expect(screen.queryByRole("menuitem", { name: "Give it a new secret" })).toBeNull();
    await user.keyboard("{Escape}");
    await user.click(screen.getByRole("button", { name: "Actions for Release pipeline" }));
    await user.click(await screen.findByRole("menuitem", { name: "Give it a new secret" }));
    await user.click(await screen.findByRole("button", { name: "Make a new secret" }));
    const shown = await screen.findByRole("dialog", { name: "New secret of Release pipeline" });
    expect(shown.textContent).toContain("until then both work");
    await user.click(within(shown).getByRole("checkbox"));
    await user.click(within(shown).getByRole("button", { name: "Done" }));
    await user.click(screen.getByRole("button", { name: "Actions for Release pipeline" }));
    await user.click(await screen.findByRole("menuitem", { name: "Revoke" }));
    await user.click(await screen.findByRole("button", { name: "Revoke" }));
    await screen.findByText("Key revoked");
    expect(api.to(`DELETE /api/workspaces/${ids.acme}/keys/${key.id}`)).toHaveLength(1);
  });

  test("every permission has words, and stands in one group", () => {
    expect(scopeGroups.flatMap(([, scopes]) => scopes).toSorted()).toEqual(Object.keys(scopeWords).toSorted());
  });

  test("end at the end of the day that was chosen, or so many days from now", () => {
    const now = new Date("2026-01-05T09:00:00Z");
    const draft = { name: "", scopes: [], day: "" };
    expect(expiryOf({ ...draft, lasts: "30" }, now)).toBe("2026-02-04T09:00:00.000Z");
    expect(expiryOf({ ...draft, lasts: "never" }, now)).toBeNull();
    expect(expiryOf({ ...draft, lasts: "until" }, now)).toBeUndefined();
    expect(expiryOf({ ...draft, lasts: "until", day: "2026-03-01" }, now)).toBe(new Date(2026, 2, 1, 23, 59, 59).toISOString());
  });
});

test.each([
  ["New API key", "Make the key", "Name"],
  ["Add a webhook", "Add the webhook", "Address"],
  ["Connect a chat", "Connect", "Address of the channel"],
])("'%s' keeps its buttons below what scrolls, and they work until it is sent", async (open, verb, label) => {
  const answer = pending<object>();
  const hangs = () => answer.promise;
  stubApi(stubs({ "POST /api/workspaces/*/keys": hangs, "POST /api/workspaces/*/webhooks": hangs }));
  const { user } = renderApp(address);
  await user.click(await screen.findByRole("button", { name: open }));
  const dialog = within(await screen.findByRole("dialog"));
  const field = dialog.getByRole<HTMLInputElement>("textbox", { name: label });
  const send = dialog.getByRole<HTMLButtonElement>("button", { name: verb });
  for (const button of [send, dialog.getByRole("button", { name: "Cancel" })]) expect(button.closest(".p-dialog-footer")).not.toBeNull();
  expect(send.form).toBe(field.form); // and so Enter sends it
  await user.type(field, "https://hooks.slack.com/services/x");
  await user.click(send);
  await waitFor(() => expect(send.getAttribute("aria-busy")).toBe("true"));
  answer.reject(new TypeError("Failed to fetch"));
  await waitFor(() => expect(send.getAttribute("aria-busy")).toBeNull());
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

describe("webhooks and chats", () => {
  test("say where they go, of what they are told, and how it goes", async () => {
    stubApi(stubs({ "GET /api/workspaces/*/webhooks": { webhooks: [hook, slack, failing, off, failed, unwanted] } }));
    renderApp(address);
    const rows = within(await screen.findByRole("table", { name: "Webhooks" })).getAllByRole("row");
    expect(rows.map(({ textContent }) => textContent).slice(1)).toEqual([
      expect.stringContaining("Websitehttps://example.com/hooksPost publishedArrives"),
      expect.stringContaining("Failing since"),
      expect.stringContaining(`Off since ${moment(day)}: it answered that it is gone (410)`),
      expect.stringContaining(`Off since ${moment(day)}: nothing arrived for three days`),
      expect.stringContaining(`Switched off since ${moment(day)}`),
    ]);
    expect(rows[2]!.textContent).toContain("3 waiting");
    const chats = within(screen.getByRole("table", { name: "Chat" })).getAllByRole("row");
    expect(chats[1]!.textContent).toContain("#releasesSlack · https://hooks.slack.com/…cret");
  });

  test("one is added with its events and tags; its secret is shown once", async () => {
    const api = stubApi(stubs({ "POST /api/workspaces/*/webhooks": { webhook: hook, secret: "whsec_abc" } }));
    const { user } = renderApp(address);
    await user.click(await screen.findByRole("button", { name: "Add a webhook" }));
    const dialog = await screen.findByRole("dialog");
    await user.type(within(dialog).getByRole("textbox", { name: "Address" }), "https://example.com/x");
    await user.click(within(dialog).getByRole("checkbox", { name: "Subscriber confirmed" }));
    await user.click(within(dialog).getByRole("checkbox", { name: "Feature" }));
    await user.click(within(dialog).getByRole("button", { name: "Add the webhook" }));
    const shown = await screen.findByRole("dialog", { name: "Signing secret of Website" });
    expect(within(shown).getByRole<HTMLInputElement>("textbox").value).toBe("whsec_abc");
    const [asked] = api.to(`POST /api/workspaces/${ids.acme}/webhooks`);
    expect(asked!.body).toEqual({
      url: "https://example.com/x",
      name: "",
      events: ["post.published", "subscriber.confirmed"],
      tags: ["feature"],
    });
  });

  test("a chat shows a message before it is connected; its address says which chat it is", async () => {
    const api = stubApi(stubs({ "POST /api/workspaces/*/webhooks": { webhook: { ...slack, kind: "discord" }, secret: null } }));
    const { user } = renderApp(address);
    await user.click(await screen.findByRole("button", { name: "Connect a chat" }));
    const dialog = await screen.findByRole("dialog");
    expect((await within(dialog).findByText("Twice as fast.")).textContent).toBe("Twice as fast.");
    await user.click(within(dialog).getByRole("textbox", { name: "Address of the channel" }));
    await user.paste("https://discord.com/api/webhooks/1/abc");
    expect(within(dialog).getByRole<HTMLInputElement>("radio", { name: "Discord" }).checked).toBe(true);
    await user.click(within(dialog).getByRole("button", { name: "Connect" }));
    await screen.findByText("Connected: #releases");
    const [asked] = api.to(`POST /api/workspaces/${ids.acme}/webhooks`);
    expect(asked!.body).toMatchObject({
      kind: "discord",
      url: "https://discord.com/api/webhooks/1/abc",
      events: ["post.published"],
      tags: null,
    });
  });

  test("a chat that is changed keeps its address, which is not shown, unless another is pasted", async () => {
    const api = stubApi(stubs({ "PATCH /api/workspaces/*/webhooks/*": { webhook: slack } }));
    const { user } = renderApp(address);
    await user.click(await screen.findByRole("button", { name: "Actions for #releases" }));
    await user.click(await screen.findByRole("menuitem", { name: "Change" }));
    const dialog = await screen.findByRole("dialog");
    expect(within(dialog).getByRole<HTMLInputElement>("textbox", { name: /Address of the channel/ }).value).toBe("");
    await user.click(within(dialog).getByRole("button", { name: "Save" }));
    await waitFor(() => expect(api.to(`PATCH /api/workspaces/${ids.acme}/webhooks/${slack.id}`)).toHaveLength(1));
    expect(api.to(`PATCH /api/workspaces/${ids.acme}/webhooks/${slack.id}`)[0]!.body).not.toHaveProperty("url");
  });

  test("what the server says of an address stands at the field, and nothing typed is lost", async () => {
    stubApi(stubs({ "POST /api/workspaces/*/webhooks": refusal("validation_failed", { url: "This address is not public" }) }));
    const { user } = renderApp(address);
    await user.click(await screen.findByRole("button", { name: "Add a webhook" }));
    const field = await screen.findByRole<HTMLInputElement>("textbox", { name: "Address" });
    await user.type(field, "https://10.0.0.1/");
    await user.click(screen.getByRole("button", { name: "Add the webhook" }));
    await screen.findByText("This address is not public");
    expect(field.value).toBe("https://10.0.0.1/");
  });
});

describe("the log of one", () => {
  const at = (webhook: Webhook) => `${address}/webhooks/${webhook.id}`;
  const log = (deliveries: Delivery[], next: string | null = null) => ({
    "GET /api/workspaces/*/webhooks/*/deliveries": { deliveries, next },
  });

  test("unfolds each try with what was answered, the body, and sends it again", async () => {
    const api = stubApi(stubs({ ...log([broken, arrived]), "POST /api/workspaces/*/deliveries/*/resend": { delivery: arrived } }));
    const { user } = renderApp(at(hook));
    await user.click(await screen.findByRole("button", { name: /Failed · 500/ }));
    const tries = screen.getByRole("list", { name: "Tries" });
    expect(tries.textContent).toContain("Try 1");
    expect(tries.textContent).toContain("There was no answer in time");
    expect(tries.textContent).toContain("<h1>Oh no</h1>");
    await user.click(screen.getByRole("button", { name: "Show the body" }));
    expect((await screen.findByLabelText("the body")).textContent).toContain('"type": "post.published"');
    await user.click(screen.getByRole("button", { name: "Send again" }));
    await screen.findByText("On its way again");
    expect(api.to(`POST /api/workspaces/${ids.acme}/deliveries/${broken.id}/resend`)).toHaveLength(1);
  });

  test("says of one that is to be tried again when, also while it is folded", async () => {
    const waiting: Delivery = { ...broken, state: "waiting", ended_at: null, next_try_at: later };
    stubApi(stubs(log([waiting, { ...waiting, id: arrived.id, tries: [], status: null, error: null }])));
    const { user } = renderApp(at(hook));
    const line = await screen.findByRole("button", { name: /Will be tried again · 500/ });
    expect(line.textContent).toContain(`Next try: ${moment(later)}`);
    expect(screen.getByRole("button", { name: /On its way/ }).textContent).not.toContain("Next try");
    await user.click(line);
    expect(line.textContent).not.toContain("Next try");
    expect(line.closest("li")!.textContent).toContain(`Next try${moment(later)}`);
  });

  test("sends all that failed again, narrows, and goes on", async () => {
    const api = stubApi(stubs({ ...log([broken], "more"), "POST /api/workspaces/*/webhooks/*/resend-failed": { count: 2 } }));
    const { user } = renderApp(at(hook));
    await user.selectOptions(await screen.findByRole("combobox", { name: "What failed in" }), "Failed in the last hour");
    await user.click(screen.getByRole("button", { name: "Send all again" }));
    await screen.findByText("2 deliveries are on their way again");
    const since = (api.to(`POST /api/workspaces/${ids.acme}/webhooks/${hook.id}/resend-failed`)[0]!.body as { since: string }).since;
    expect(Math.abs(Date.now() - 3_600_000 - Date.parse(since))).toBeLessThan(60_000);
    await user.click(await screen.findByRole("button", { name: "Show older" }));
    const queries = () => api.to(`GET /api/workspaces/${ids.acme}/webhooks/${hook.id}/deliveries`).map(({ path }) => path.split("?")[1]);
    await waitFor(() => expect(queries().at(-1)).toContain("cursor=more"));
    await user.click(screen.getByRole("radio", { name: "Failed" }));
    await waitFor(() => expect(queries().at(-1)).toContain("state=failed"));
  });

  test("of a filter that could not be read says that its rows are others, and reads it when asked", async () => {
    const deliveries = "GET /api/workspaces/*/webhooks/*/deliveries";
    const byState = ({ path }: { path: string }) =>
      path.includes("failed") ? refusal("unavailable") : { deliveries: [arrived], next: null };
    const api = stubApi(stubs({ [deliveries]: byState }));
    const { user } = renderApp(at(hook));
    await screen.findByRole("button", { name: /Arrived · 200/ });
    await user.click(screen.getByRole("radio", { name: "Failed" }));
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("What is shown was read before.");
    api.set({ [deliveries]: { deliveries: [broken], next: null } });
    await user.click(within(alert).getByRole("button", { name: "Try again" }));
    await screen.findByRole("button", { name: /Failed · 500/ });
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("in which none fitted does not say so of a filter that could not be read", async () => {
    const byState = ({ path }: { path: string }) => (path.includes("waiting") ? { deliveries: [], next: null } : refusal("unavailable"));
    stubApi(stubs({ "GET /api/workspaces/*/webhooks/*/deliveries": byState }));
    const { user } = renderApp(at(hook));
    await screen.findByText("The deliveries could not be read");
    await user.click(screen.getByRole("radio", { name: "Waiting" }));
    await screen.findByText("None of these");
    await user.click(screen.getByRole("radio", { name: "Failed" }));
    await screen.findByText("The deliveries could not be read");
  });

  test("of one that is off says why, switches it on, and sends nothing meanwhile", async () => {
    const api = stubApi(
      stubs({
        ...log([]),
        "POST /api/workspaces/*/webhooks/*/enable": { webhook: { ...off, enabled: true, off_reason: null, off_at: null } },
      }),
    );
    const { user } = renderApp(at(off));
    await screen.findByText(/it answered that it is gone/);
    expect(screen.queryByRole("button", { name: "Send all again" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Switch on" }));
    await screen.findByRole("button", { name: "Send a test" });
    expect(api.to(`POST /api/workspaces/${ids.acme}/webhooks/${off.id}/enable`)).toHaveLength(1);
  });

  test("that is not there says so", async () => {
    stubApi(stubs(empty));
    renderApp(at(hook));
    await screen.findByText("There is no such webhook");
  });
});

test.each<Role>(["editor", "viewer"])("a %s is told who may, and nothing is asked", async (role) => {
  const api = stubApi(stubs({}, role));
  renderApp(address);
  await screen.findByText("Owners and administrators make keys and webhooks.");
  expect(api.to(`GET /api/workspaces/${ids.acme}/keys`)).toEqual([]);
  expect(screen.queryByRole("link", { name: "Developers" })).toBeNull();
});

test("the example is one command for a shell, whatever the workspace is called", () => {
  const [publish] = samples("https://tidings.example", 'Ada\'s "Shop"');
  const body = publish!.code.slice(publish!.code.indexOf("-d '") + 4, -1);
  expect(body).not.toContain("'");
  expect(JSON.parse(body)).toMatchObject({ status: "published", markdown: expect.stringContaining("\n") });
});
