import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright";
import postgres, { type Sql } from "postgres";
import { demoAccount, demoSubdomain } from "../../supabase/local/seed/demo.ts";
import { makeAccount } from "../../tests/support/account.ts";
import type { RunningStack } from "../../tests/support/stack.ts";

const folder = "docs/images";
export const desk = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };
const handheld: BrowserContextOptions = { viewport: phone, isMobile: true, hasTouch: true };

export type Scene = (stage: Stage) => Promise<void>;

/** The server names hosts of this machine; the pictures show the ones that readers have. */
export async function showAs(page: Page, path: string, names: readonly (readonly [string, string])[]): Promise<void> {
  await page.route(path, async (route) => {
    const response = await route.fetch();
    let body = await response.text();
    for (const [here, shown] of names) body = body.replaceAll(here, shown);
    await route.fulfill({ response, body });
  });
}

export class Stage {
  readonly stack: RunningStack;
  readonly sql: Sql;
  readonly #browser: Browser;
  readonly #people = new Map<string, Promise<Page>>();
  #workspaceId = "";

  constructor(stack: RunningStack, browser: Browser) {
    this.stack = stack;
    this.#browser = browser;
    this.sql = postgres(stack.dbUrl, { max: 1, onnotice: () => {} });
    mkdirSync(folder, { recursive: true });
  }

  async begin(): Promise<void> {
    const dana = await this.dana();
    await dana.getByRole("link", { name: "View public page" }).waitFor({ timeout: 60_000 });
    const { workspaces } = await this.ask<{ workspaces: { id: string }[] }>(dana, "GET", "/api/workspaces");
    this.#workspaceId = workspaces[0]!.id;
    await this.sql.begin(async (sql) => {
      await sql`set local session_replication_role = replica`; // no trigger may change the times
      await sql`update public.posts set created_at = published_at, updated_at = published_at where status = 'published'`;
      await sql`update public.posts set created_at = now() - interval '30 hours', updated_at = now() - interval '5 hours' where status <> 'published'`;
    });
  }

  async end(): Promise<void> {
    await this.sql.end();
  }

  path = (rest: string): string => `/workspace/${this.#workspaceId}/${rest}`;
  api = (rest: string): string => `/api/workspaces/${this.#workspaceId}/${rest}`;
  get site(): string {
    return this.stack.publicUrl.replace("//", `//${demoSubdomain}.`);
  }
  get workspaceId(): string {
    return this.#workspaceId;
  }

  async page(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({ baseURL: this.stack.publicUrl, viewport: desk, reducedMotion: "reduce", ...options });
    return await context.newPage();
  }

  phone = (options: BrowserContextOptions = {}): Promise<Page> => this.page({ ...handheld, ...options });

  dana(): Promise<Page> {
    return this.#person(demoAccount.email, () => this.signedIn(demoAccount));
  }

  danasPhone(): Promise<Page> {
    return this.#person("phone", () => this.signedIn(demoAccount, handheld));
  }

  async stranger(email: string, fullName: string): Promise<Page> {
    const person = { email, fullName, password: "correct horse battery" };
    await makeAccount(this.sql, randomUUID(), person);
    return await this.signedIn(person);
  }

  /** The first call for a person adds them to the workspace. */
  colleague(fullName: string, role: "admin" | "editor" | "viewer" = "editor"): Promise<Page> {
    return this.#person(fullName, async () => {
      const email = `${fullName.split(" ")[0]!.toLowerCase()}@tidings.example`;
      const person = { email, fullName, password: "correct horse battery" };
      await makeAccount(this.sql, randomUUID(), person);
      const invited = { role, workspaceId: this.#workspaceId };
      const { invite } = await this.ask<{ invite: { url: string } }>(
        await this.dana(),
        "POST",
        `/api/team/${this.#workspaceId}/invite`,
        invited,
      );
      const page = await this.signedIn(person);
      await this.ask(page, "POST", "/api/team/join", { token: new URL(invite.url).searchParams.get("token") });
      return page;
    });
  }

  #person(name: string, enter: () => Promise<Page>): Promise<Page> {
    const there = this.#people.get(name) ?? enter();
    this.#people.set(name, there);
    return there;
  }

  async signedIn({ email, password }: { email: string; password: string }, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.page(options);
    await page.goto("/auth");
    await page.getByRole("button", { name: "Got it!" }).click();
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign In", exact: true }).click();
    await page.waitForURL((url) => url.pathname !== "/auth");
    return page;
  }

  async ask<Answer>(page: Page, method: string, path: string, data?: object): Promise<Answer> {
    const answer = await page.request.fetch(path, { method, headers: { origin: this.stack.publicUrl }, data });
    if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  }

  async post(page: Page, fields: object): Promise<{ id: string; version: number; slug: string }> {
    const { post } = await this.ask<{ post: { id: string; version: number; slug: string } }>(page, "POST", "/api/posts", {
      ...{ workspace_id: this.#workspaceId, ...fields },
    });
    return post;
  }

  async discard(page: Page, postId: string): Promise<void> {
    await this.ask(page, "DELETE", `/api/posts/${postId}`, {});
  }

  async seeded(title: RegExp): Promise<string> {
    const posts = await this.sql<
      { id: string; title: string }[]
    >`select id, title from public.posts where workspace_id = ${this.#workspaceId}`;
    return posts.find((post) => title.test(post.title))!.id;
  }

  async open(page: Page, postId: string): Promise<void> {
    await page.goto(this.path(`changelog/edit/${postId}`));
    await page.locator(".codex-editor [contenteditable=true]").first().waitFor();
  }

  async add(addOn: string): Promise<void> {
    await this.ask(await this.dana(), "POST", this.api("add-ons"), { add_ons: [addOn] });
  }

  async draw(page: Page, name: string, part?: Locator, around = 24): Promise<void> {
    await page.mouse.move(1, 1);
    await page.locator("[data-sonner-toast]").first().waitFor({ state: "detached" });
    await page.waitForTimeout(1_500);
    for (const frame of page.frames()) {
      await frame.evaluate(() => void (document.documentElement.style.scrollbarGutter = "auto")).catch(() => {});
    }
    let clip: { x: number; y: number; width: number; height: number } | undefined;
    if (part) {
      const { width, height } = page.viewportSize()!;
      await part.evaluate((element) => element.scrollIntoView({ block: "center" }));
      const box = (await part.boundingBox())!;
      const [x, y] = [Math.max(0, box.x - around), Math.max(0, box.y - around)];
      clip = { x, y, width: Math.min(width, box.x + box.width + around) - x, height: Math.min(height, box.y + box.height + around) - y };
    }
    this.keep(name, await page.screenshot({ ...(clip && { clip }), caret: "initial" }));
  }

  keep(name: string, png: Uint8Array): void {
    writeFileSync(`${folder}/${name}.png`, png);
    console.log(`${folder}/${name}.png`);
  }
}
