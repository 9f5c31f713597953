import { newWorkspace } from "./support/people.ts";
import { expect, expectAccessible, test } from "./support/test.ts";
import { createPost, unique } from "./support/workspace.ts";

test("the posts table pages, and tags, archives and restores several posts", async ({ page, browser, stack, problems: _ }) => {
  test.setTimeout(120_000);
  const { workspaceId } = await newWorkspace(page, "Ada Lovelace", unique("table"));
  for (let number = 1; number <= 75; number++) {
    await createPost(page, stack.publicUrl, workspaceId, { title: `Post ${String(number).padStart(2, "0")}` });
  }
  await page.goto(`/workspace/${workspaceId}/dashboard`);
  const table = page.getByRole("table", { name: "Recent posts" });
  const rows = table.getByRole("rowheader").or(table.locator("tbody tr"));
  const search = page.getByRole("searchbox", { name: "Search posts" });
  const range = page.getByText(/^\d+–\d+ of \d+$/);
  await expect(range).toHaveText("1–10 of 75");
  await expectAccessible(page);

  await test.step("the pager ends at both ends and keeps the focus", async () => {
    const pager = page.getByRole("navigation", { name: "Table pages" });
    await expect(pager.getByRole("button", { name: /^Page/ })).toHaveText(["1", "2", "3", "4", "5", "8"]);
    await expect(pager.getByRole("button", { name: "Previous page" })).toBeDisabled();
    await pager.getByRole("button", { name: "Page 8" }).click();
    await expect(range).toHaveText("71–75 of 75");
    await expect(pager.getByRole("button", { name: "Page 8" })).toBeFocused();
    await expect(pager.getByRole("button", { name: "Next page" })).toBeDisabled();
    await page.goto(`/workspace/${workspaceId}/dashboard?page=99&size=50`);
    await expect(range).toHaveText("51–75 of 75");
    await page.getByLabel("Rows per page").selectOption("100");
    await expect(range).toHaveText("1–75 of 75");
    await expect(page).toHaveURL(/\?size=100$/);
  });

  await test.step("several posts are tagged and archived at once; the archive restores them", async () => {
    await search.fill("post 7");
    await expect(range).toHaveText("1–6 of 6");
    await page.getByRole("checkbox", { name: "Select all on this page" }).check();
    await page.getByRole("button", { name: "Tag", exact: true }).click();
    await page.getByRole("menuitem", { name: "Improvement" }).click();
    await expect(page.getByText("6 posts tagged")).toBeVisible();
    await expect(rows.first()).toContainText("Improvement");
    await page.getByRole("checkbox", { name: "Select Post 71" }).check();
    await page.getByRole("button", { name: "Archive" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Archive" }).click();
    await expect(range).toHaveText("1–5 of 5");
    await page.getByLabel("Status").selectOption("Archived");
    await expect(range).toHaveText("1–1 of 1");
    await page.getByRole("checkbox", { name: "Select Post 71" }).check();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Restore" }).click();
    await expect(page.getByText("No posts found")).toBeVisible();
    await page.getByLabel("Status").selectOption("Any status");
    await expect(range).toHaveText("1–6 of 6");
  });

  await test.step("a row opens the editor", async () => {
    await rows.first().getByText("Ada Lovelace").click();
    await expect(page).toHaveURL(/\/changelog\/edit\/[0-9a-f-]{36}$/);
  });

  await test.step("rows are cards on a phone, and nothing overflows", async () => {
    const phone = await (await browser.newContext({ baseURL: stack.publicUrl, viewport: { width: 390, height: 844 } })).newPage();
    await phone.context().addCookies(await page.context().cookies());
    await phone.goto(`/workspace/${workspaceId}/dashboard`);
    await expect(phone.getByText("1–10 of 75")).toBeVisible();
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await expectAccessible(phone);
    await phone.context().close();
  });
});
