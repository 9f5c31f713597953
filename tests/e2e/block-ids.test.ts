import { enter, found } from "./support/people.ts";
import { expect, type Page, test } from "./support/test.ts";
import { newPost, openPost, paragraph, readPost } from "./support/writing.ts";

interface Stored {
  id?: string;
  type: string;
  data: { text?: string };
}
const blocks = (page: Page) => page.locator(".ce-block");
const readBlocks = async (page: Page, id: string): Promise<Stored[]> =>
  (JSON.parse((await readPost(page, id)).content_raw) as { blocks: Stored[] }).blocks;
async function stored(page: Page, id: string, words: string[]): Promise<Stored[]> {
  await page.keyboard.press("ControlOrMeta+s");
  const read = async () => (await readBlocks(page, id)).map(({ data }) => data.text);
  await expect.poll(read).toEqual(words);
  return readBlocks(page, id);
}
const idsOf = (all: Stored[]) => all.map(({ id }) => id);

test("a block keeps its id through edit, move, conversion, undo and restore; a copied block gets a new one", async ({
  page,
  problems: _,
}) => {
  await enter(page, "Ida Ids");
  const workspaceId = await found(page, "Ids");
  const post = await newPost(page, workspaceId, { blocks: ["One", "Two", "Three"].map(paragraph) });
  await openPost(page, workspaceId, post.id);
  await page.getByRole("button", { name: "Got it!" }).click(); // the cookie dialog covers the end of a long menu
  const [one, two, three] = idsOf(await stored(page, post.id, ["One", "Two", "Three"]));
  expect(new Set([one, two, three, undefined]).size).toBe(4);
  const written = ["One", "Two, and more", "Between", "Three"];
  const words = (place: number) => blocks(page).nth(place).locator("[contenteditable=true]").first();

  await test.step("an edit and a new block between others keep ids", async () => {
    await words(1).click();
    await page.keyboard.press("End");
    await page.keyboard.type(", and more");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Between");
    const now = await stored(page, post.id, written);
    expect(idsOf(now)).toEqual([one, two, expect.stringMatching(/^[\w-]{10}$/), three]);
  });

  await test.step("a heading by its marker and a quote by the menu keep ids", async () => {
    await words(0).click();
    await page.keyboard.press("Home");
    await page.keyboard.type("## ");
    await words(3).click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.locator(".ce-inline-toolbar").getByRole("button").first().click();
    await page.locator(".ce-popover--opened .ce-popover-item", { hasText: /^Quote$/ }).click();
    const types = async () => (await readBlocks(page, post.id)).map(({ type }) => type);
    await page.keyboard.press("ControlOrMeta+s");
    await expect.poll(types).toEqual(["header", "paragraph", "paragraph", "quote"]);
    const now = await readBlocks(page, post.id);
    expect([now[0]!.id, now[1]!.id, now[3]!.id]).toEqual([one, two, three]);
  });

  await test.step("moving and undoing keep ids", async () => {
    const before = idsOf(await stored(page, post.id, written));
    await words(1).click();
    await blocks(page).nth(1).hover();
    await page.getByRole("button", { name: "Block settings" }).click();
    await page.getByText("Move down", { exact: true }).click();
    const moved = idsOf(await stored(page, post.id, ["One", "Between", "Two, and more", "Three"]));
    expect(moved).toEqual([before[0], before[2], before[1], before[3]]);
    await words(0).click();
    await page.keyboard.press("ControlOrMeta+z");
    expect(idsOf(await stored(page, post.id, written))).toEqual(before);
  });

  await test.step("duplicating and copying give new ids", async () => {
    await words(1).click();
    await page.keyboard.press("ControlOrMeta+d");
    const doubled = await stored(page, post.id, ["One", "Two, and more", "Two, and more", "Between", "Three"]);
    expect(new Set(idsOf(doubled)).size).toBe(5);
    expect(doubled[1]!.id).toBe(two);
    await words(1).click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.press("ControlOrMeta+a"); // the first press selects the words, the second every block
    await page.keyboard.press("ControlOrMeta+c");
    await words(4).click();
    await page.keyboard.press("End");
    await page.keyboard.press("ControlOrMeta+v");
    await expect(blocks(page)).toHaveCount(10);
    const all = await stored(
      page,
      post.id,
      (await blocks(page).locator("[contenteditable=true]:not(.cdx-quote__caption)").allTextContents()).map((text) => text.trim()),
    );
    expect(new Set(idsOf(all)).size).toBe(all.length);
    expect(idsOf(all).slice(0, 4)).toEqual(idsOf(doubled).slice(0, 4));
  });

  await test.step("an earlier version restores its blocks with their ids", async () => {
    const { version } = await readPost(page, post.id);
    const answer = await page.request.post(`/api/posts/${post.id}/revisions/1/restore`, {
      headers: { origin: new URL(page.url()).origin },
      data: { version },
    });
    expect(answer.status(), await answer.text()).toBe(200);
    expect(idsOf(await readBlocks(page, post.id))).toEqual([one, two, three]);
  });
});
