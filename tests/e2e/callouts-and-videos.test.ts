import { newChangelog, publish } from "./support/changelog.ts";
import { enter, found } from "./support/people.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";
import { bodyOf, newPost, openPost, paragraph, readPost, savedWord } from "./support/writing.ts";

const video = "https://www.youtube.com/watch?v=aqz-KE-bpKQ";
const player = "https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ";
const kinds = ["info", "tip", "warning", "danger"] as const;
const blocks = [
  paragraph("Before you update:"),
  ...kinds.map((kind) => ({
    type: "callout",
    data: {
      kind,
      text: `Read the <a href="https://x.example/">notes</a> on <code>v2</code>.`,
    },
  })),
  { type: "embed", data: { url: video, caption: "A tour of two minutes" } },
  {
    type: "code",
    data: { code: "const fast = true;", language: "typescript" },
  },
  {
    type: "list",
    data: {
      style: "checklist",
      meta: {},
      items: [{ content: "Backed up", meta: { checked: true }, items: [] }],
    },
  },
];

/** Replaces the video services' pages, so the test needs no internet. */
async function standInForPlayers(page: Page): Promise<string[]> {
  const asked: string[] = [];
  await page.context().route(/^https:\/\/(?:www\.youtube-nocookie|player\.vimeo|www\.loom)\.com\//, async (route) => {
    asked.push(route.request().url());
    await route.fulfill({
      contentType: "text/html",
      body: "<!doctype html><html lang=en><title>Player</title>",
    });
  });
  return asked;
}

const pasteText = (page: Page, text: string) =>
  page.evaluate((words) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", words);
    document.activeElement!.dispatchEvent(
      new ClipboardEvent("paste", {
        bubbles: true,
        cancelable: true,
        clipboardData,
      }),
    );
  }, text);

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1280, 390]) {
    test(`callouts and videos are accessible on the public page and in the editor in ${colorScheme}, ${width} wide`, async ({
      page,
      stack,
      problems,
    }) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      const asked = await standInForPlayers(page);
      const acme = await newChangelog(stack);
      await publish(acme, "All of it", { at: "2026-03-11T10:00:00Z", blocks });
      await page.goto(`${acme.origin}/releases/all-of-it`);
      await expect(page.getByRole("note", { name: "Warning" })).toBeVisible();
      await page.getByTitle("A tour of two minutes").scrollIntoViewIfNeeded();
      await expect.poll(() => asked).toEqual([player]);
      await expectAccessible(page);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(wider).toBeLessThanOrEqual(0);
      await acme.end();

      await enter(page, "Kay Writer");
      const workspaceId = await found(page, "Blocks");
      const { id } = await newPost(page, workspaceId, { blocks });
      await openPost(page, workspaceId, id);
      await expect(page.getByRole("textbox", { name: "Callout" })).toHaveCount(4);
      await expect(page.getByRole("combobox", { name: "Language" })).toHaveValue("typescript");
      await expect(page.getByRole("checkbox", { name: "Done" })).toBeChecked();
      await expectAccessible(page);
      expect(problems).toEqual([]);
    });
  }
}

test("the menu inserts callouts and videos, a URL on an empty line becomes a video, and ids are kept", async ({ page, problems }) => {
  await enter(page, "Kay Writer");
  const workspaceId = await found(page, "Blocks");
  const { id } = await newPost(page, workspaceId, {
    blocks: [paragraph("Before."), { type: "code", data: { code: "select 1" } }],
  });
  const stored = async () => {
    await page.keyboard.press("ControlOrMeta+s");
    await expect(savedWord(page)).toBeVisible();
    return (
      JSON.parse((await readPost(page, id)).content_raw) as {
        blocks: { id: string; type: string; data: object }[];
      }
    ).blocks;
  };
  const before = (
    JSON.parse((await readPost(page, id)).content_raw) as {
      blocks: { id: string }[];
    }
  ).blocks;
  expect(before.every((block) => /^[\w-]{1,64}$/.test(block.id))).toBe(true);
  await openPost(page, workspaceId, id);
  await page.getByRole("combobox", { name: "Language" }).selectOption("SQL");
  await bodyOf(page).click();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await pasteText(page, "https://youtu.be/aqz-KE-bpKQ?si=tracking");
  await expect(page.getByText("YouTube video")).toBeVisible();
  await page.keyboard.type("/Callout");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.type("Mind the gap");
  await page.getByRole("combobox", { name: "Callout type" }).selectOption("Warning");
  const first = await stored();
  expect(first).toMatchObject([
    { id: before[0]!.id, type: "paragraph" },
    { type: "embed", data: { url: video, caption: "" } },
    { type: "callout", data: { kind: "warning", text: "Mind the gap" } },
    {
      id: before[1]!.id,
      type: "code",
      data: { code: "select 1", language: "sql" },
    },
  ]);
  await page.getByRole("textbox", { name: "Caption" }).click();
  await page.keyboard.type("A tour");
  const second = await stored();
  expect(second.map((block) => block.id)).toEqual(first.map((block) => block.id));
  expect(second[1]!.data).toEqual({ url: video, caption: "A tour" });
  expect(problems).toEqual([]);
});
