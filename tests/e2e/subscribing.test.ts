import { randomUUID } from "node:crypto";
import type { Browser } from "playwright/test";
import { sentMails } from "./support/another-place.ts";
import { oneClick } from "./support/one-click.ts";
import { found, enter } from "./support/people.ts";
import { expect, type Page, test, workerStack } from "./support/test.ts";
import { newPost } from "./support/writing.ts";

interface Place {
  workspaceId: string;
  origin: string;
}

async function openPlace(page: Page, undoMinutes: number): Promise<Place> {
  await enter(page, "Olive Owner");
  const subdomain = `mail-${randomUUID().slice(0, 13)}`;
  const workspaceId = await found(page, "Acme", subdomain);
  const headers = { origin: workerStack().publicUrl };
  const opened = await page.request.post("/api/public/changelog/toggle", { headers, data: { isPublic: true, workspaceId } });
  expect(opened.status()).toBe(200);
  await setUndo(page, workspaceId, undoMinutes);
  return { workspaceId, origin: workerStack().publicUrl.replace("//", `//${subdomain}.`) };
}

async function setUndo(page: Page, workspaceId: string, undo_minutes: number): Promise<void> {
  const headers = { origin: workerStack().publicUrl };
  const answer = await page.request.put(`/api/workspaces/${workspaceId}/mail-settings`, { headers, data: { undo_minutes } });
  expect(answer.status()).toBe(200);
}

const newAddress = (name: string): string => `${name}.${randomUUID().slice(0, 8)}@reader.example`;
const mailsTo = async (page: Page, address: string) => (await sentMails(page)).filter(({ to }) => to === address);

async function mailTo(page: Page, address: string, count: number) {
  await expect.poll(async () => (await mailsTo(page, address)).length, { timeout: 30_000 }).toBe(count);
  return (await mailsTo(page, address))[0]!;
}

async function readerPage(browser: Browser): Promise<Page> {
  return await (await browser.newContext({ javaScriptEnabled: false })).newPage();
}

async function subscribe(page: Page, reader: Page, { origin }: Place, email: string): Promise<void> {
  await reader.goto(`${origin}/releases`);
  await reader.getByLabel("Your email address").fill(email);
  await reader.getByRole("button", { name: "Subscribe" }).click();
  await expect(reader.getByRole("heading", { level: 1 })).toHaveText("Check your email");
  const mail = await mailTo(page, email, 1);
  expect(mail.subject).toBe("Please confirm: updates from Acme by email");
  await reader.goto(mail.links.find((link) => link.includes("/releases/subscription/"))!);
  await expect(reader.getByRole("heading", { level: 1 })).toHaveText("One click to go");
  await reader.getByRole("button", { name: "Yes, subscribe me" }).click();
  await expect(reader.getByRole("status")).toHaveText("You're subscribed.");
}

test(
  "a reader without scripts subscribes, confirms, gets a post by email and unsubscribes with one click",
  { tag: "@journey" },
  async ({ page, browser, problems }) => {
    const place = await openPlace(page, 0);
    const reader = await readerPage(browser);
    const [email, stays] = [newAddress("ana"), newAddress("ben")];
    await subscribe(page, reader, place, email);
    await subscribe(page, reader, place, stays);

    await newPost(page, place.workspaceId, { title: "Dark mode", status: "published" });
    const news = await mailTo(page, email, 2);
    expect(news.subject).toBe("Dark mode");
    expect(news.headers).toMatchObject({
      From: expect.stringMatching(/^"Acme via Tidings" </),
      "List-Unsubscribe": expect.stringMatching(new RegExp(`^<${workerStack().publicUrl}/releases/subscription/[\\w-]{48}>$`)),
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      "List-Id": expect.stringMatching(/^<changelog\.mail-[\w-]+\.localhost>$/),
      "Message-ID": expect.stringMatching(/^<[\da-f-]{36}@localhost>$/),
      "Auto-Submitted": "auto-generated",
      Precedence: "bulk",
    });
    expect(news.text).toContain("First words.");
    await reader.goto(news.links.find((link) => link.includes("/releases/dark-mode"))!);
    await expect(reader.getByRole("heading", { level: 1 })).toHaveText("Dark mode");

    const own = news.headers["List-Unsubscribe"]!.slice(1, -1);
    expect(await oneClick(own)).toBe(200);
    await reader.goto(own);
    await expect(reader.getByRole("button", { name: "Subscribe again" })).toBeVisible();
    await newPost(page, place.workspaceId, { title: "Webhooks", status: "published" });
    expect((await mailTo(page, stays, 3)).subject).toBe("Webhooks");
    expect(await mailsTo(page, email)).toHaveLength(2);
    await reader.context().close();
    expect(problems).toEqual([]);
  },
);
