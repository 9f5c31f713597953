import { readFileSync } from "node:fs";
import type { PostSummary } from "#contract/posts.ts";
import { startReceiver } from "../support/webhook-receiver.ts";
import { newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";
import { unique } from "./support/workspace.ts";

const picture = readFileSync(new URL("support/picture.png", import.meta.url));
const oneInput = (page: Page) => page.getByLabel(/Choose files or drop/);
const row = (page: Page, title: string) => page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: title }) });

async function choose(page: Page, name: string, content: string | object, mimeType = "text/plain") {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  await oneInput(page).setInputFiles({ name, mimeType, buffer: Buffer.from(text) });
}

type ListedPost = Pick<PostSummary, "id" | "title" | "status" | "published_at" | "tags" | "version">;

async function posts(page: Page, workspaceId: string): Promise<ListedPost[]> {
  const all: ListedPost[] = [];
  for (let number = 1, pages = 1; number <= pages; number++) {
    const answer = await page.request.get(`/api/workspaces/${workspaceId}/posts?limit=100&page=${number}`);
    const body = (await answer.json()) as { posts: ListedPost[]; pagination: { pages: number } };
    all.push(...body.posts);
    ({ pages } = body.pagination);
  }
  return all;
}

async function change(page: Page, origin: string, workspaceId: string, title: string, changed: { title: string; text: string }) {
  const { id, version } = (await posts(page, workspaceId)).find((post) => post.title === title)!;
  const content = { time: 1, blocks: [{ type: "paragraph", data: { text: changed.text } }], version: "2.28.2" };
  const data = { version, title: changed.title, content_raw: JSON.stringify(content) };
  const answer = await page.request.put(`/api/posts/${id}`, { headers: { origin }, data });
  expect(answer.status(), await answer.text()).toBe(200);
}

test(
  "a CHANGELOG.md is imported with dates, tags and images, and the import can be undone",
  { tag: "@journey" },
  async ({ page, stack, problems: _ }) => {
    const other = await startReceiver(({ path }) =>
      path === "/shot.png" ? { status: 200, headers: { "content-type": "image/png" }, body: picture } : { status: 404 },
    );
    const subdomain = unique("moves");
    const { workspaceId } = await newWorkspace(page, "Mo Moving", subdomain);
    await page.request.post("/api/public/changelog/toggle", {
      headers: { origin: stack.publicUrl },
      data: { isPublic: true, workspaceId },
    });
    const changelog = `# Changelog

## [Unreleased]

- Not out yet

## [1.2.0] - 2024-03-05

### Added

- Dark mode, at last

![The new look](${other.url}/shot.png)

![Gone](${other.url}/gone.png)

## [1.1.0] - 2023-11-20

### Security

- A door was closed

## [1.0.0] - 2022-01-01

### Fixed

- Everything
`;

    await test.step("the import page is reached from the settings menu by keyboard", async () => {
      await page.goto(`/workspace/${workspaceId}/changelog`);
      await page.getByRole("link", { name: "Import your posts" }).click();
      await expect(page.getByRole("heading", { name: "Import posts" })).toBeVisible();
      await expect(page.getByText("No imports yet")).toBeVisible();
      await expectAccessible(page);
    });

    await test.step("the preview comes before any write", async () => {
      await choose(page, "CHANGELOG.md", changelog, "text/markdown");
      await expect(page.getByRole("table", { name: /3 posts in/ })).toBeVisible();
      await expect(page.getByText("“Unreleased” was skipped: it isn't released yet")).toBeVisible();
      await expect(row(page, "1.2.0")).toContainText("Added");
      await expect(row(page, "1.2.0")).toContainText("New");
      await expectAccessible(page);
      await page.getByLabel(/^Security/).selectOption("Leave out");
      expect(await posts(page, workspaceId)).toEqual([]);
    });

    await test.step("posts are imported, oldest first, with their values", async () => {
      await page.getByRole("button", { name: "Import 3 posts" }).click();
      await expect(page.getByRole("heading", { name: /except for 1 section$/ })).toBeVisible({ timeout: 30_000 });
      await expect(page.getByRole("region", { name: "Failed images" })).toContainText("/gone.png");
      await expectAccessible(page);
      const made = new Map((await posts(page, workspaceId)).map((post) => [post.title, post]));
      expect(made.get("1.2.0")).toMatchObject({ status: "published", published_at: "2024-03-05T00:00:00.000Z", tags: ["feature"] });
      expect(made.get("1.1.0")).toMatchObject({ status: "published", published_at: "2023-11-20T00:00:00.000Z", tags: [] });
      expect(made.get("1.0.0")).toMatchObject({ tags: ["fix"] });
      expect(made.size).toBe(3);
      expect(other.at("/shot.png")).toHaveLength(1);
    });

    await test.step("the public page shows their dates and imported images", async () => {
      const reader = await page.context().newPage();
      await reader.goto(`${stack.publicUrl.replace("://", `://${subdomain}.`)}/releases`);
      await expect(reader.locator("article > h2")).toHaveText(["1.2.0", "1.1.0", "1.0.0"]);
      await reader.getByRole("link", { name: "1.2.0" }).first().click();
      await expect(reader.getByRole("img", { name: "The new look" })).toHaveAttribute("src", /\/storage\/v1\/object\/public\//);
      await expect(reader.getByRole("img", { name: "Gone" })).toHaveCount(0);
      await reader.close();
    });

    await test.step("the import is undone except for edited posts", async () => {
      await change(page, stack.publicUrl, workspaceId, "1.0.0", { title: "1.0.0, and how it began", text: "By hand." });
      await page.getByRole("button", { name: "Undo import" }).click();
      const dialog = page.getByRole("dialog");
      await expect(dialog).toBeVisible();
      await expectAccessible(page);
      await dialog.getByRole("button", { name: "Undo import" }).click();
      await expect(page.getByText("1 post kept because it was edited since")).toBeVisible();
      await expect(page.getByText("Undone, 1 kept")).toBeVisible();
      expect((await posts(page, workspaceId)).map(({ title }) => title)).toEqual(["1.0.0, and how it began"]);
    });
    other.stop();
  },
);
