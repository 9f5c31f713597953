import type { Browser } from "playwright/test";
import { enter, newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";

interface Post {
  id: string;
  title: string;
}

const blocks = [
  { id: "block-one", type: "paragraph", data: { text: "The search is faster now." } },
  { id: "block-two", type: "paragraph", data: { text: "Dark mode is there for everybody." } },
  { id: "block-three", type: "paragraph", data: { text: "Old browsers are not supported any more." } },
];

async function twoPeople(browser: Browser, url: string, role: "editor" | "viewer" = "editor") {
  const owner = await (await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } })).newPage();
  const { workspaceId } = await newWorkspace(owner, "Ada Owner", `say-${Date.now().toString(36)}`);
  const headers = { origin: url };
  const created = await owner.request.post("/api/posts", { headers, data: { title: "What is new", blocks, workspace_id: workspaceId } });
  const { post } = (await created.json()) as { post: Post };
  const invited = await owner.request.post(`/api/team/${workspaceId}/invite`, { headers, data: { role, workspaceId } });
  const link = new URL(((await invited.json()) as { invite: { url: string } }).invite.url);
  const colleague = await (await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } })).newPage();
  await enter(colleague, "Bob Colleague");
  await colleague.request.post("/api/team/join", { headers, data: { token: link.searchParams.get("token") } });
  const address = `/workspace/${workspaceId}/changelog/edit/${post.id}`;
  for (const page of [owner, colleague]) {
    await page.goto(address);
    await expect(block(page, "block-three")).toBeVisible();
  }
  return { owner, colleague, post, address, workspaceId };
}

const block = (page: Page, id: string) => page.locator(`.ce-block[data-id="${id}"]`);
const column = (page: Page) => page.getByRole("complementary", { name: "Comments" });
const toolbarButton = (page: Page) => page.getByRole("button", { name: /^Comments/ });
const thread = (page: Page, about: string) => page.getByRole("article", { name: `Comments on ${about}` });

async function comment(page: Page, id: string, text: string) {
  await block(page, id).locator("[contenteditable=true]").click();
  await page.keyboard.press("Control+Alt+m");
  const field = page.getByRole("textbox", { name: "Comment on this block" });
  await expect(field).toBeFocused();
  await page.keyboard.type(text);
  return field;
}

test("a colleague answers a block's comment, resolves it and reopens it", { tag: "@journey" }, async ({ browser, stack }) => {
  const { owner, colleague } = await twoPeople(browser, stack.publicUrl);
  const leftOfText = async () => (await block(owner, "block-two").boundingBox())!.x;
  const before = await leftOfText();
  await comment(owner, "block-two", "Really for everybody, @Bo");
  await expect(owner.getByRole("option", { name: "Bob Colleague" })).toBeVisible();
  await expectAccessible(owner);
  await owner.keyboard.press("Enter");
  await owner.keyboard.type("?");
  await owner.keyboard.press("Control+Enter");
  const about = "Dark mode is there for everybody.";
  await expect(thread(owner, about)).toContainText("Really for everybody, @Bob Colleague ?");
  await expect(thread(owner, about)).toBeFocused();

  // Level with its block, beside the text and the list, which don't move.
  const [card, line] = [await thread(owner, about).boundingBox(), await block(owner, "block-two").boundingBox()];
  expect(Math.abs(card!.y - line!.y)).toBeLessThan(60);
  expect(card!.x).toBeGreaterThanOrEqual(line!.x + line!.width);
  expect(line!.x).toBe(before);
  await expect(owner.getByRole("region", { name: "Posts" })).toBeVisible();
  await column(owner).getByRole("button", { name: "Close" }).click();
  expect(await leftOfText()).toBe(before);
  await toolbarButton(owner).click();
  await expectAccessible(owner);

  const mark = colleague.getByRole("button", { name: `1 comment on: ${about}` });
  await mark.click();
  await expect(thread(colleague, about)).toBeFocused();
  await thread(colleague, about).getByRole("textbox", { name: "Reply" }).fill("Yes, since today.");
  await thread(colleague, about).getByRole("button", { name: "Reply" }).click();
  await expect(thread(owner, about)).toContainText("Yes, since today.");
  await expectAccessible(colleague);

  await thread(owner, about).getByRole("button", { name: "Resolve" }).click();
  await expect(thread(owner, about)).toBeHidden();
  await expect(mark).toBeHidden();
  await expect(owner.getByRole("heading", { name: "Comments" })).toBeFocused();
  await colleague.getByText("Resolved 1").click();
  await expect(thread(colleague, about)).toContainText("Resolved by Ada Owner");
  await expectAccessible(colleague);
  await thread(colleague, about).click();
  await thread(colleague, about).getByRole("button", { name: "Reopen" }).click();
  await expect(thread(owner, about)).toBeVisible();
});

test("comments open as a sheet on a phone, and an email's link opens the thread", async ({ browser, stack }) => {
  const { owner, colleague, address, post } = await twoPeople(browser, stack.publicUrl);
  await comment(owner, "block-three", "Which ones?");
  await owner.keyboard.press("Control+Enter");
  await expect(thread(owner, "Old browsers are not supported any more.")).toBeVisible();
  const { threads } = (await (await owner.request.get(`/api/posts/${post.id}/threads`)).json()) as { threads: { id: string }[] };

  await colleague.setViewportSize({ width: 390, height: 800 });
  await colleague.goto(`${address}?thread=${threads[0]!.id}`);
  const sheet = colleague.getByRole("dialog", { name: "Comments" });
  const said = sheet.getByRole("article", { name: "Comments on Old browsers are not supported any more." });
  await expect(said).toContainText("Which ones?");
  await expectAccessible(colleague);
  await said.getByRole("textbox", { name: "Reply" }).fill("All that are older than two years.");
  await said.getByRole("button", { name: "Reply" }).click();
  await expect(thread(owner, "Old browsers are not supported any more.")).toContainText("All that are older than two years.");
  await colleague.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
});
