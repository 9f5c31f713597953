import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Browser, type BrowserContext, chromium } from "playwright/test";
import { chromiumFlags, ensureChromium } from "../support/chromium.ts";
import { frontDoor } from "./support/another-place.ts";
import type { Person } from "./support/journey.ts";
import { enter, found } from "./support/people.ts";
import { expect, type Page, test } from "./support/test.ts";
import { count, typeAWhile } from "./support/typing.ts";
import { bodyOf, editorPath, newPost, openPost, readPost, save, savedWord, storedText, titleOf } from "./support/writing.ts";

/** The loss matrix: whatever fails while a user types, at most a second of typing is lost, and a message says what to do. */
interface Scene {
  page: Page;
  workspaceId: string;
  postId: string;
  person: Person;
}

interface Row {
  name: string;
  before?: () => void;
  prepare?(scene: Scene): Promise<unknown>;
  /** Fails after the typing; returns the message shown, "" if there's no page to show one. */
  happen(scene: Scene): Promise<string>;
  draft?: true;
  arrives?: true;
}

const notice = (page: Page, text: string | RegExp) => page.locator("[role=status], [role=alert]").filter({ hasText: text }).first();
const seen = async (page: Page, text: string | RegExp): Promise<string> => {
  await expect(notice(page, text)).toBeVisible({ timeout: 40_000 });
  return (await notice(page, text).innerText()).replaceAll(/\s+/g, " ");
};
const isSave = (method: string) => method === "PUT" || method === "POST";
const posts = "**/api/posts/*";
const crash = async (page: Page) => {
  const session = await page.context().newCDPSession(page);
  const gone = new Promise((resolve) => page.once("crash", resolve));
  void session.send("Page.crash").catch(() => {});
  await gone;
};

const rows: Row[] = [
  { name: "tab killed", happen: async ({ page }) => crash(page).then(() => "") },
  {
    name: "tab killed after a rest",
    draft: true,
    happen: async ({ page }) => {
      await expect(savedWord(page)).toBeVisible();
      await crash(page);
      return "";
    },
  },
  {
    name: "session ended while a draft saves itself",
    draft: true,
    happen: async ({ page, person }) => {
      await page.context().clearCookies();
      await page.keyboard.type(" And after it.");
      const dialog = page.getByRole("dialog", { name: "Your session has ended" });
      await expect(dialog).toBeVisible();
      const sentence = await dialog.getByText("Everything you typed is still here").innerText();
      await dialog.getByLabel("Password", { exact: true }).fill(person.password);
      await dialog.getByRole("button", { name: "Sign In" }).click();
      await expect(savedWord(page)).toBeVisible();
      return sentence;
    },
  },
  { name: "tab closed", happen: async ({ page }) => page.close().then(() => "") },
  {
    name: "page reloaded",
    happen: async ({ page }) =>
      page
        .reload()
        .then(() => page.close())
        .then(() => ""),
  },
  {
    name: "offline while typing",
    prepare: ({ page }) => page.context().setOffline(true),
    happen: async ({ page }) => {
      const sentence = await seen(page, "Offline. Saved on this device");
      await save(page);
      await seen(page, "You're offline. We'll save when you reconnect.");
      await crash(page);
      await page.close();
      await page.context().setOffline(false);
      return sentence;
    },
  },
  ...[
    { name: "server answers 500 to the save", answer: { status: 500, json: { error: "Broken", code: "internal" } } },
    { name: "server answers nonsense to the save", answer: { status: 502, body: "<h1>Bad gateway</h1>" } },
  ].map(({ name, answer }): Row => ({
    name,
    prepare: ({ page }) => page.route(posts, (route) => (isSave(route.request().method()) ? route.fulfill(answer) : route.continue())),
    happen: async ({ page }) => {
      await save(page);
      await expect(page.getByText("Failed to update post")).toBeVisible();
      await expect(page.getByText("Please try again or contact support")).toBeVisible();
      const sentence = await seen(page, "Couldn't save. Retrying…");
      await crash(page);
      return sentence;
    },
  })),
  {
    name: "save times out",
    prepare: ({ page }) => page.route(posts, (route) => (isSave(route.request().method()) ? undefined : route.continue())),
    happen: async ({ page }) => {
      await save(page);
      const sentence = await seen(page, "Couldn't save. Retrying…");
      await crash(page);
      return sentence;
    },
  },
  {
    name: "answer of the save dropped",
    arrives: true,
    prepare: ({ page }) =>
      page.route(posts, async (route) => {
        if (!isSave(route.request().method())) return route.continue();
        await route.fetch();
        await route.abort("connectionreset");
      }),
    happen: async ({ page }) => {
      await save(page);
      const sentence = await seen(page, "Couldn't save. Retrying…");
      await crash(page);
      return sentence;
    },
  },
  {
    name: "session expired",
    happen: async ({ page }) => {
      await page.context().clearCookies();
      await save(page);
      const dialog = page.getByRole("dialog", { name: "Your session has ended" });
      await expect(dialog).toBeVisible();
      const sentence = await dialog.getByText("Everything you typed is still here").innerText();
      await crash(page);
      return sentence;
    },
  },
  {
    name: "storage full",
    draft: true,
    before: () => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException("There is no room left", "QuotaExceededError");
      };
    },
    happen: async ({ page }) => {
      const sentence = await seen(page, "no room for");
      await crash(page);
      return sentence;
    },
  },
  ...[24, -24].map((hours): Row => ({
    name: `clock ${Math.abs(hours)} h ${hours > 0 ? "fast" : "slow"}`,
    before: hours > 0 ? () => shiftClock(86_400_000) : () => shiftClock(-86_400_000),
    happen: async ({ page }) => crash(page).then(() => ""),
  })),
];

declare function shiftClock(ms: number): void;
const clockShifter = () =>
  Object.assign(window, {
    shiftClock: (ms: number) => {
      const Real = Date;
      window.Date = class extends Real {
        constructor(...parts: []) {
          if (parts.length === 0) super(Real.now() + ms);
          else super(...parts);
        }
        static override now = () => Real.now() + ms;
      } as DateConstructor;
    },
  });

async function restoreOffered(page: Page): Promise<string> {
  const restore = page.getByRole("button", { name: "Restore", exact: true });
  const sentence = await seen(page, "weren't saved");
  await restore.click();
  await expect(restore).toBeHidden();
  return sentence;
}

async function signInAgain(context: BrowserContext, origin: string, { email, password }: Person): Promise<void> {
  if ((await context.cookies()).length > 0) return;
  const answer = await context.request.post("/api/auth/login", { headers: { origin }, data: { email, password, remember: true } });
  expect(answer.status()).toBe(200);
}

async function expectSaved(page: Page, postId: string, text: string): Promise<void> {
  await save(page);
  await expect.poll(() => storedText(page, postId)).toBe(text.replaceAll("\u00a0", " "));
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

test.describe("never lose a word", () => {
  for (const row of rows) {
    test(row.name, async ({ browser, stack }) => {
      const context = await browser.newContext({ baseURL: stack.publicUrl });
      const page = await context.newPage();
      page.on("dialog", (dialog) => void dialog.accept());
      const person = await enter(page, "Ada Writer");
      const workspaceId = await found(page, "Writers");
      const { id: postId } = await newPost(page, workspaceId, row.draft ? {} : { status: "published" });
      if (row.before) {
        await page.addInitScript(clockShifter);
        await page.addInitScript(row.before);
      }
      const scene = { page, workspaceId, postId, person };
      await openPost(page, workspaceId, postId);
      await row.prepare?.(scene);
      const typed = await typeAWhile(page);
      const at = Date.now();
      const told = await row.happen(scene);

      const again = await context.newPage();
      await signInAgain(context, stack.publicUrl, person);
      await openPost(again, workspaceId, postId);
      const offered = row.draft || row.arrives ? "" : await restoreOffered(again);
      const text = await bodyOf(again).innerText();
      count(row.name, typed, text, at, [told, offered].filter(Boolean).join(" / "));
      await expectSaved(again, postId, text);
      await context.close();
    });
  }
});

async function startBrowser(profile: string): Promise<{ process: ChildProcess; browser: Browser }> {
  const portFile = join(profile, "DevToolsActivePort");
  rmSync(portFile, { force: true });
  const flags = frontDoor.stack ? [frontDoor.stack.chromiumFlag] : [];
  const started = spawn(
    ensureChromium(),
    [...chromiumFlags, ...flags, "--headless=new", "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"],
    { stdio: "ignore" },
  );
  try {
    await expect.poll(() => existsSync(portFile) && readFileSync(portFile, "utf8").includes("\n"), { timeout: 30_000 }).toBe(true);
    const port = readFileSync(portFile, "utf8").split("\n")[0];
    return { process: started, browser: await chromium.connectOverCDP(`http://127.0.0.1:${port}`) };
  } catch (error) {
    started.kill("SIGKILL");
    throw error;
  }
}

test("never lose a word: the text survives a killed browser", async ({ browser, stack }) => {
  const own = await (await browser.newContext({ baseURL: stack.publicUrl })).newPage();
  const person = await enter(own, "Ada Writer");
  const workspaceId = await found(own, "Writers");
  const { id: postId } = await newPost(own, workspaceId, { status: "published" });
  const profile = mkdtempSync(join(tmpdir(), "tidings-profile-"));
  let running = await startBrowser(profile);
  const open = async () => {
    const page = await running.browser.contexts()[0]!.newPage();
    await page.goto(`${stack.publicUrl}/auth`);
    const status = await page.evaluate(
      async (body) => (await fetch("/api/auth/login", { method: "POST", headers: { "content-type": "application/json" }, body })).status,
      JSON.stringify({ email: person.email, password: person.password, remember: true }),
    );
    expect(status).toBe(200);
    await page.goto(stack.publicUrl + editorPath(workspaceId, postId));
    await expect(bodyOf(page)).toBeVisible();
    return page;
  };
  try {
    const typed = await typeAWhile(await open());
    await running.browser.close();
    const at = Date.now();
    const gone = new Promise((resolve) => running.process.once("exit", resolve));
    running.process.kill("SIGKILL");
    await gone;
    await wait(500); // lets its child processes exit

    running = await startBrowser(profile);
    const page = await open();
    const sentence = await restoreOffered(page);
    count("browser killed", typed, await bodyOf(page).innerText(), at, sentence);
  } finally {
    await running.browser.close().catch(() => {});
    running.process.kill("SIGKILL");
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
});

test("a save whose response is lost is idempotent on retry: no second post, no conflict", async ({ page }) => {
  await enter(page, "Ada Writer");
  const workspaceId = await found(page, "Writers");
  let lost = 0;
  let losesNext = false;
  await page.route("**/api/posts{,/*}", async (route) => {
    if (!losesNext || !isSave(route.request().method())) return route.continue();
    losesNext = false;
    lost += 1;
    await route.fetch();
    await route.abort("connectionreset");
  });
  await page.goto(`/workspace/${workspaceId}/changelog/new`);
  await bodyOf(page).click();
  await page.keyboard.type("Words.");
  await titleOf(page).fill("Made once");
  losesNext = true;
  await save(page);
  await seen(page, "Couldn't save. Retrying…");
  await expect(page.getByText("Draft saved")).toBeVisible();
  await page.waitForURL(/[0-9a-f-]{36}$/);
  const postId = page.url().split("/").at(-1)!;

  await bodyOf(page).click();
  await page.keyboard.press("End");
  await page.keyboard.type(" More words.");
  losesNext = true;
  await save(page);
  await seen(page, "Couldn't save. Retrying…");
  await bodyOf(page).click();
  await page.keyboard.press("End");
  await page.keyboard.type(" And more.");
  await save(page);
  await expect.poll(() => storedText(page, postId)).toBe("Words. More words. And more.");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const { posts } = (await (await page.request.get(`/api/workspaces/${workspaceId}/posts`)).json()) as { posts: unknown[] };
  expect(posts).toHaveLength(1);
  expect((await readPost(page, postId)).version).toBe(3);
  expect(lost).toBe(2);
});
