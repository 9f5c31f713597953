import { JSDOM } from "jsdom";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { caughtMails } from "./support/mails.ts";
import { newPerson, newPost, newWorkspace, paragraph, type Person, sql } from "./support/people.ts";
import { openWorkspace, readPage, sendForm, setPublic, visit } from "./support/public.ts";
import { askToBeTold, mailingWorkspace, mailTo, newAddress, newReader } from "./support/readers.ts";

let owner: Person;
let acme: { id: string; subdomain: string };
beforeAll(async () => {
  owner = await newPerson("Olive Owner");
  acme = await mailingWorkspace(owner);
});

const ask = (email: string, more: [string, string][] = [], subdomain = acme.subdomain) => askToBeTold(subdomain, email, more);
const subscribe = (more: [string, string][] = []) => newReader(acme.subdomain, more);
const rowOf = async (email: string) =>
  (await sql`select status, frequency, tags, consent from public.subscribers where email = ${email}`)[0];
const publish = (title: string, tags: string[] = []) =>
  newPost(owner, acme.id, { title, tags, status: "published", blocks: paragraph(`All about <b>${title.replaceAll("<", "&lt;")}</b>.`) });

describe("subscribing", () => {
  test("sends an email whose button on a page confirms, not the link itself", async () => {
    const email = newAddress();
    const path = await ask(email, [
      ["frequency", "weekly"],
      ["tags", "fix"],
    ]);
    const mail = await mailTo(email);
    expect(mail.subject).toBe("Please confirm: updates from Acme by email");
    for (const link of mail.links) {
      for (const method of ["GET", "HEAD"]) await visit(acme.subdomain, new URL(link).pathname, { method });
    }
    expect(await rowOf(email)).toMatchObject({ status: "pending", frequency: "weekly", tags: ["fix"], consent: { by: "page" } });
    const { status, page } = await readPage(acme.subdomain, path);
    expect(status).toBe(200);
    expect(page.querySelector("h1")!.textContent).toBe("One click to go");
    expect(page.body.textContent).toContain(email);
    const done = await sendForm(acme.subdomain, path, [["action", "confirm"]]);
    expect(done.headers.location).toBe(`${path}?done=confirm`);
    expect((await readPage(acme.subdomain, done.headers.location!)).page.querySelector('[role="status"]')!.textContent).toBe(
      "You're subscribed.",
    );
    expect(await rowOf(email)).toMatchObject({ status: "active" });
  });

  test("gets the same answer for subscribed, unknown, unsubscribed and suppressed addresses", async () => {
    const { email: active } = await subscribe();
    const left = await subscribe();
    await sendForm(acme.subdomain, left.path, [["action", "leave"]]);
    const suppressed = newAddress();
    await sql`insert into private.suppressions (address, reason) values (private.address_hash(${suppressed}), 'complaint')`;
    const answers = [];
    for (const email of [active, left.email, suppressed, newAddress()]) {
      const { status, headers, body } = await sendForm(acme.subdomain, "/releases/subscribe", [["email", email]]);
      answers.push({ status, location: headers.location, body });
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect((await mailTo(active, 2)).subject).toBe("You already get updates from Acme");
    expect(await rowOf(active)).toMatchObject({ status: "active" });
    expect(await rowOf(left.email)).toMatchObject({ status: "pending" });
    expect(await caughtMails(suppressed)).toEqual([]);
  });

  test("by a stranger with a known address doesn't change its settings", async () => {
    const { email } = await subscribe([["frequency", "daily"]]);
    await sendForm(acme.subdomain, "/releases/subscribe", [
      ["email", email],
      ["frequency", "instant"],
      ["tags", "fix"],
    ]);
    expect(await rowOf(email)).toMatchObject({ status: "active", frequency: "daily", tags: null });
  });

  test.each([
    "",
    "nobody",
    "a@b",
    "a@acme.example\r\nBcc: b@acme.example",
    "a@acme.example,b@acme.example",
    `${"a".repeat(320)}@acme.example`,
  ])("with %j shows the form with the input and an error", async (email) => {
    const reply = await sendForm(acme.subdomain, "/releases/subscribe", [
      ["email", email],
      ["frequency", "weekly"],
    ]);
    expect(reply.status).toBe(422);
    const page = new JSDOM(reply.body).window.document;
    expect(page.querySelector("#email-wrong")!.textContent).toBe("Please enter a valid email address");
    expect(page.querySelector<HTMLInputElement>('[name="frequency"][value="weekly"]')!.checked).toBe(true);
    expect(page.querySelector<HTMLInputElement>("#email")!.value).toBe(
      email.replace(/[\r\n]/g, "").slice(0, 320 - (email.match(/[\r\n]/g)?.length ?? 0)),
    );
  });

  test("with the honeypot field gets the usual answer, and stores nothing", async () => {
    const email = newAddress();
    const fields: [string, string][] = [
      ["email", email],
      ["website", "https://spam.example"],
    ];
    expect((await sendForm(acme.subdomain, "/releases/subscribe", fields)).status).toBe(303);
    expect(await rowOf(email)).toBeUndefined();
  });

  test("has no form where the changelog is closed, emails are off, or no workspace exists", async () => {
    const closed = await newWorkspace(owner);
    const off = await openWorkspace(owner);
    await sql`update public.mail_settings set enabled = false where workspace_id = ${off.id}`;
    for (const subdomain of [closed.subdomain, off.subdomain, "nobody-here", null]) {
      expect((await sendForm(subdomain, "/releases/subscribe", [["email", newAddress()]])).status).toBe(404);
      expect((await visit(subdomain, "/releases/subscribe.html")).status).toBe(404);
    }
    expect((await readPage(off.subdomain, "/releases")).page.querySelector(".subscribe")).toBeNull();
    expect((await readPage(acme.subdomain, "/releases")).page.querySelector(".subscribe form")!.getAttribute("action")).toBe(
      "/releases/subscribe",
    );
  });
});

describe("a subscriber's page", () => {
  test("changes tags and frequency, exports the stored data, and erases all of it", async () => {
    const { email, path } = await subscribe();
    await sendForm(acme.subdomain, path, [
      ["action", "save"],
      ["frequency", "daily"],
      ["tags", "fix"],
      ["tags", "docs"],
    ]);
    expect(await rowOf(email)).toMatchObject({ frequency: "daily", tags: ["fix", "docs"] });
    const file = await sendForm(acme.subdomain, path, [["action", "export"]]);
    expect(file.headers["content-disposition"]).toContain("subscription.json");
    expect(JSON.parse(file.body)).toMatchObject({ email, workspace: "Acme", status: "active", frequency: "daily", tags: ["fix", "docs"] });
    const erased = await sendForm(acme.subdomain, path, [["action", "erase"]]);
    expect((await visit(acme.subdomain, erased.headers.location!)).status).toBe(200);
    expect(await rowOf(email)).toBeUndefined();
    expect(await sql`select from private.deliveries d where d.target_id::text = ${email}`).toHaveLength(0);
    expect((await visit(acme.subdomain, path)).status).toBe(404);
  });

  test("has no referrer and isn't cached", async () => {
    const { path } = await subscribe();
    const { headers } = await visit(acme.subdomain, path);
    expect(headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "no-referrer", "x-robots-tag": "noindex" });
  });

  test("opens by its token only: a modified one, or another workspace's host, gets a 404", async () => {
    const { email, path } = await subscribe();
    const globex = await openWorkspace(owner);
    const token = path.split("/").at(-1)!;
    for (let at = 0; at < token.length; at += 5) {
      const other = `${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`;
      for (const host of [acme.subdomain, null]) expect((await visit(host, `/releases/subscription/${other}`)).status).toBe(404);
      await sendForm(acme.subdomain, `/releases/subscription/${other}`, [["List-Unsubscribe", "One-Click"]]);
    }
    expect((await visit(globex.subdomain, path)).status).toBe(404);
    await sendForm(globex.subdomain, path, [["List-Unsubscribe", "One-Click"]]);
    expect(await rowOf(email)).toMatchObject({ status: "active" });
  });

  test("lets unsubscribed readers return, and readers unsubscribe after the changelog was closed", async () => {
    const { email, path } = await subscribe();
    await sendForm(acme.subdomain, path, [["action", "leave"]]);
    const { page } = await readPage(null, path);
    expect(page.body.textContent).toContain("Subscribe again");
    await sendForm(null, page.querySelector('[action^="/releases/subscription/"]')!.getAttribute("action")!, [["action", "return"]]);
    expect(await rowOf(email)).toMatchObject({ status: "active" });
    await setPublic(acme.id, false);
    expect((await visit(acme.subdomain, path)).status).toBe(200);
    await sendForm(acme.subdomain, path, [["action", "leave"]]);
    await setPublic(acme.id, true);
    expect(await rowOf(email)).toMatchObject({ status: "left" });
  });
});

describe("one-click unsubscribe (RFC 8058)", () => {
  const multipart = '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n';
  test.each([
    ["as a form", "application/x-www-form-urlencoded", "List-Unsubscribe=One-Click"],
    ["as multipart", "multipart/form-data; boundary=b", multipart],
  ])("by %s, without cookies and origin, is answered 200 and nothing else, repeatedly and with any token", async (_, type, body) => {
    const { email, path } = await subscribe();
    const paths = [path, path, `/releases/subscription/${"A".repeat(48)}`, "/releases/subscription/x"];
    for (const [host, to] of paths.flatMap((to) => [null, acme.subdomain].map((host) => [host, to] as const))) {
      const reply = await visit(host, to, {
        method: "POST",
        headers: { "content-type": type, origin: "https://mail.example" },
        body,
      });
      expect(reply).toMatchObject({ status: 200, body: "" });
    }
    expect(await rowOf(email)).toMatchObject({ status: "left" });
  });
});

describe("a published post", () => {
  test("is emailed to subscribers of everything and of its tag, once, with its blocks", async () => {
    const [all, fixes, docs, weekly] = await Promise.all([
      subscribe(),
      subscribe([["tags", "fix"]]),
      subscribe([["tags", "docs"]]),
      subscribe([["frequency", "weekly"]]),
    ]);
    const post = await publish("Faster <search>", ["fix"]);
    const [toAll, toFixes] = [await mailTo(all.email, 2), await mailTo(fixes.email, 2)];
    for (const mail of [toAll, toFixes]) expect(mail.subject).toBe("Faster <search>");
    expect(toAll.html).toContain("All about <b>Faster &lt;search&gt;</b>.");
    expect(toAll.html).not.toMatch(/<script|onerror=|tracking|\bwidth="1"/);
    expect(toAll.text).toContain("All about Faster <search>.");
    const own = `http://localhost:${inject("stack").ports.gateway}${all.path}`;
    expect(toAll.headers).toMatchObject({
      "List-Unsubscribe": `<${own}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      "List-Id": `<changelog.${acme.subdomain}.localhost>`,
      "Auto-Submitted": "auto-generated",
    });
    expect(toAll.headers["From"]).toMatch(/^"Acme via Tidings" <[^<>]+>$/);
    await owner.api.put(`/api/posts/${post.id}`, { title: "Faster search", version: post.version });
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(await caughtMails(all.email)).toHaveLength(2);
    expect(await caughtMails(docs.email)).toHaveLength(1);
    expect(await caughtMails(weekly.email)).toHaveLength(1);
  });
});

test("the widget gets the URL of the subscribe form", async () => {
  const data = async () => JSON.parse((await visit(acme.subdomain, "/releases/widget.json")).body) as { workspace: { mails: boolean } };
  expect((await data()).workspace.mails).toBe(true);
  await owner.api.put(`/api/workspaces/${acme.id}/mail-settings`, { enabled: false });
  await expect.poll(async () => (await data()).workspace.mails, { timeout: 20_000, interval: 200 }).toBe(false);
  await owner.api.put(`/api/workspaces/${acme.id}/mail-settings`, { enabled: true });
});
