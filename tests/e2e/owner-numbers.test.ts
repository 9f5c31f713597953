import { readFile } from "node:fs/promises";
import { newWorkspace } from "./support/people.ts";
import { expect, test } from "./support/test.ts";
import { createPost, unique } from "./support/workspace.ts";

test("the owner exports the workspace as a file", async ({ page, stack, problems: _ }) => {
  const subdomain = unique("export");
  const { workspaceId } = await newWorkspace(page, "Edna Export", subdomain);
  await createPost(page, stack.publicUrl, workspaceId, { title: "Taken along" });
  await page.goto(`/workspace/${workspaceId}/settings/export`);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export workspace" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(new RegExp(`^tidings-${subdomain}-\\d{4}-\\d\\d-\\d\\d\\.json$`));
  const content = JSON.parse(await readFile(await file.path(), "utf8")) as { workspace: { id: string }; posts: { title: string }[] };
  expect([content.workspace.id, content.posts.map(({ title }) => title)]).toEqual([workspaceId, ["Taken along"]]);
});
