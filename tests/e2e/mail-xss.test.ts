import { randomUUID } from "node:crypto";
import postgres from "postgres";
import { titleMaxLength } from "#contract/limits.ts";
import type { MonthNumbers } from "#contract/reports.ts";
import { memberMail } from "../../edge-functions/api/outbox/member-mails.ts";
import { type Delivery, mailOf, type MailedPost, renderPost, voiceOf } from "../../edge-functions/api/outbox/mails.ts";
import { reportMail } from "../../edge-functions/api/outbox/report-mail.ts";
import { xssPayloads } from "../support/xss-payloads.ts";
import { sentMails } from "./support/another-place.ts";
import { posts } from "./support/hostile-posts.ts";
import { enter, found } from "./support/people.ts";
import { expect, test } from "./support/test.ts";
import { setTrap } from "./support/trap.ts";
import { newPost, paragraph } from "./support/writing.ts";

/** No CSP and no sandbox, as in the least safe mail program. */
test.use({ bypassCSP: true });
test.describe.configure({ timeout: 240_000 });

const wholeMail = "body";

test("no payload runs in sent emails", async ({ page, context, stack }) => {
  await enter(page, "Mallory Trap");
  const workspaceId = await found(page, xssPayloads[0]!.slice(0, 60), `trap-${randomUUID().slice(0, 13)}`);
  const headers = { origin: stack.publicUrl };
  await page.request.post("/api/public/changelog/toggle", { headers, data: { isPublic: true, workspaceId } });
  await page.request.put(`/api/workspaces/${workspaceId}/mail-settings`, {
    headers,
    data: { undo_minutes: 0, sender_name: "<b onclick=alert(1)>" },
  });
  const sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
  const email = `${randomUUID()}@reader.example`;
  await sql`insert into public.subscribers (workspace_id, email, status, confirmed_at) values (${workspaceId}, ${email}, 'active', now())`;
  await sql.end();
  for (const [kind, blocks] of Object.entries(posts)) {
    const title = `${kind} ${xssPayloads.join("")}`.slice(0, titleMaxLength);
    await newPost(page, workspaceId, { title, summary: xssPayloads.slice(0, 4).join(" "), blocks, status: "published" });
  }
  const sent = async () => (await sentMails(page)).filter(({ to }) => to === email);
  await expect.poll(async () => (await sent()).length, { timeout: 60_000 }).toBe(3);
  const trap = await setTrap(context, wholeMail);
  for (const { subject, html } of await sent()) {
    await context.route("**/a-mail", (route) => route.fulfill({ contentType: "text/html", body: html }));
    await page.goto("/a-mail");
    await expect(page.getByRole("link", { name: "Manage preferences or unsubscribe" })).toBeAttached();
    await trap.expectUntouched(page, subject);
    await context.unroute("**/a-mail");
  }
});

const origin = "https://trap.tidings.example";
const sending = { publicUrl: "https://tidings.example", from: "Tidings <news@tidings.example>" };
const deliveryOf = (kind: string, payload: string): Delivery => ({
  ...{ id: randomUUID(), kind, attempt: 1, workspace_id: randomUUID(), workspace_name: payload, subdomain: "trap", sender_name: payload },
  ...{ logo_url: "/storage/v1/object/public/logos/none.png", reply_to: "hello@acme.example", email: "ana@reader.example" },
  ...{ token: "T".repeat(48), posts: [], month: "2026-10-01", appearance: null, domain: null as unknown as string, about: payload },
  told: { post_id: randomUUID(), title: payload, by: payload, text: payload, thread_id: payload, decision: payload },
});
const postOf = (payload: string): MailedPost => ({
  ...{ id: randomUUID(), slug: "trap", title: payload, excerpt: payload, tags: [payload], author_name: payload, version: 1, images: null },
  details: { version: "1.0", component: payload, button: { text: payload, url: "https://acme.example" } },
  ...{ published_at: "2026-03-10T10:00:00Z", content_raw: { blocks: [paragraph(payload)] } },
});
const monthOf = (payload: string): MonthNumbers => {
  const totals = { views: 3, readers: 2, widget_opens: 1, clicks: 1, subscribed: 1, left: 1, mails_sent: 1 };
  const posts = [{ title: payload, slug: "trap", views: 3 }];
  const names = [{ name: payload, count: 1 }];
  return {
    open: true,
    analytics: true,
    totals,
    previous: totals,
    published: 1,
    posts,
    most_read: posts,
    referrers: names,
    searches: names,
  };
};

test("no payload runs as title, summary, author, workspace name, host or search, in any kind of email", async ({ page, context }) => {
  const trap = await setTrap(context, wholeMail);
  await context.route("**/mails", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Mails</title>" }));
  await page.goto("/mails");
  for (let at = 0; at < xssPayloads.length; at += 10) {
    const payloads = xssPayloads.slice(at, at + 10);
    const told = await Promise.all(payloads.map((payload) => renderPost(postOf(payload), origin, voiceOf({ appearance: null }))));
    const mails = payloads.flatMap((payload, index) =>
      ["post", "confirmation", "report_question"].map((kind) =>
        mailOf(deliveryOf(kind, payload), kind === "post" ? [told[index]!] : [], sending),
      ),
    );
    const reports = payloads.map((payload) => reportMail(deliveryOf("report", payload), monthOf(payload), sending.publicUrl));
    const toMembers = payloads.flatMap((payload) =>
      ["mentioned", "review_asked", "review_decided"].map((kind) => memberMail(deliveryOf(kind, payload), sending.publicUrl)),
    );
    for (const { html } of [...mails, ...reports, ...toMembers, mailOf(deliveryOf("digest", payloads[0]!), told, sending)])
      await page.setContent(html, { waitUntil: "domcontentloaded" });
    await trap.expectUntouched(page, payloads.join("\n"));
  }
});
