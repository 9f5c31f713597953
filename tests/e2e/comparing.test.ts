import type { APIRequestContext } from "playwright/test";
import { enter, newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, type Page, test } from "./support/test.ts";
import { bodyOf, newPost, openPost, readPost, storedText, type WrittenPost } from "./support/writing.ts";

const block = (id: string, type: string, data: object) => ({ id, type, data });
const picture = (name: string) => ({
  file: { url: `https://pictures.example/${name}.png` },
  caption: "The board",
  alt: `The ${name} board`,
});

const first = [
  block("opening", "paragraph", { text: "Exports are <b>twice</b> as fast for everybody." }),
  block("points", "list", { style: "checklist", items: [{ content: "CSV" }, { content: "Excel" }] }),
  block("numbers", "table", {
    withHeadings: true,
    content: [
      ["Rows", "Seconds"],
      ["1,000", "4"],
    ],
  }),
  block("sample", "code", { code: "export()\nwait()", language: "ts" }),
  block("picture", "image", picture("old")),
  block("gone", "paragraph", { text: "Nobody has to wait any more." }),
];

const second = [
  block("opening", "paragraph", { text: "Exports are <b>three times</b> as fast for everybody." }),
  block("points", "list", {
    style: "checklist",
    items: [{ content: "CSV", meta: { checked: true } }, { content: "Excel" }, { content: "JSON" }],
  }),
  block("numbers", "table", {
    withHeadings: true,
    content: [
      ["Rows", "Seconds"],
      ["1,000", "3"],
      ["2,000", "6"],
    ],
  }),
  block("sample", "code", { code: "export()\nawait done()", language: "ts" }),
  block("picture", "image", picture("new")),
  block("come", "paragraph", { text: "Tell us how it is for you." }),
];

const put = async (request: APIRequestContext, origin: string, post: WrittenPost, data: object): Promise<WrittenPost> => {
  const answer = await request.put(`/api/posts/${post.id}`, { headers: { origin }, data: { version: post.version, ...data } });
  expect(answer.status(), await answer.text()).toBe(200);
  return ((await answer.json()) as { post: WrittenPost }).post;
};

async function rewritten(page: Page, url: string, colleague: Page): Promise<{ workspaceId: string; post: WrittenPost }> {
  const { workspaceId } = await newWorkspace(page, "Ada Owner", `compare-${Date.now().toString(36)}`);
  const headers = { origin: url };
  const invited = await page.request.post(`/api/team/${workspaceId}/invite`, { headers, data: { role: "editor", workspaceId } });
  const link = new URL(((await invited.json()) as { invite: { url: string } }).invite.url);
  await enter(colleague, "Bob Editor");
  await colleague.request.post("/api/team/join", { headers, data: { token: link.searchParams.get("token") } });
  await page.context().route("https://pictures.example/**", (route) => route.fulfill({ path: "tests/e2e/support/picture.png" }));
  const post = await newPost(page, workspaceId, { title: "Fast exports", blocks: first });
  const now = await put(colleague.request, url, post, { title: "Faster exports", content_raw: JSON.stringify({ blocks: second }) });
  await openPost(page, workspaceId, post.id);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "History" }).click();
  await expect(page.getByRole("list", { name: "Differences" })).toBeVisible();
  return { workspaceId, post: now };
}

test("one block is restored with the keyboard, removed by Undo, and saved like any edit", async ({ page, browser, stack }) => {
  const colleague = await (await browser.newContext({ baseURL: stack.publicUrl })).newPage();
  const { post } = await rewritten(page, stack.publicUrl, colleague);
  const back = page.getByRole("button", { name: "Restore block: Exports are twice as fast for everybody." });
  await back.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Block updated")).toBeVisible();
  await expect(back).toHaveCount(0);
  await expect(page.getByRole("list", { name: "Differences" })).toBeFocused();
  await expect.poll(() => storedText(page, post.id)).toBe("Exports are <b>twice</b> as fast for everybody.");
  await expect(page.getByRole("combobox", { name: "Compare version 1 with" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(bodyOf(page)).toHaveText("Exports are twice as fast for everybody.");
  await expect.poll(() => storedText(page, post.id)).toBe("Exports are <b>twice</b> as fast for everybody.");
  const { title, content_raw } = await readPost(page, post.id);
  const { blocks } = JSON.parse(content_raw) as { blocks: { id: string; data: object }[] };
  expect(title).toBe("Faster exports");
  expect(blocks.map(({ id }) => id)).toEqual(second.map(({ id }) => id));
  expect(blocks.slice(2, 4).map(({ data }) => data)).toMatchObject(second.slice(2, 4).map(({ data }) => data));

  await bodyOf(page).click();
  await page.keyboard.press("ControlOrMeta+z");
  await expect(bodyOf(page)).toHaveText("Exports are three times as fast for everybody.");
  await expect.poll(() => storedText(page, post.id)).toBe("Exports are <b>three times</b> as fast for everybody.");
});
