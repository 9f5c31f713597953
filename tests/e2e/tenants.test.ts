import { newWorkspace } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

test("a second tenant sees nothing of the first", { tag: ["@journey", "@https"] }, async ({ browser, stack }) => {
  const unique = Date.now().toString(36);
  const first = await (await browser.newContext({ baseURL: stack.publicUrl })).newPage();
  const { workspaceId } = await newWorkspace(first, "First Tenant", `first-${unique}`);
  const created = await first.request.post("/api/posts", {
    headers: { origin: stack.publicUrl },
    data: { title: "Only for us", blocks: [{ type: "paragraph", data: { text: "A secret plan" } }], workspace_id: workspaceId },
  });
  expect(created.status()).toBe(201);
  const { post } = (await created.json()) as { post: { id: string } };

  const second = await (await browser.newContext({ baseURL: stack.publicUrl })).newPage();
  await newWorkspace(second, "Second Tenant", `second-${unique}`);

  await test.step("the lists don't contain it", async () => {
    await second.goto("/workspaces");
    await expect(second.getByText("Second Tenant's company").first()).toBeVisible();
    await expect(second.getByText("First Tenant's company")).toHaveCount(0);
  });
  await test.step("URLs don't open it, neither the workspace nor the post", async () => {
    for (const path of [`/api/posts/${post.id}`, `/api/workspaces/${workspaceId}/posts`, `/api/dashboard/${workspaceId}/all`]) {
      expect((await second.request.get(path)).status(), path).toBe(404);
    }
    await second.goto(`/workspace/${workspaceId}/changelog/edit/${post.id}`);
    await expect(second.locator("body")).not.toContainText("A secret plan");
    await expect(second.locator("body")).not.toContainText("Only for us");
  });
  await test.step("writes don't reach it", async () => {
    const write = await second.request.put(`/api/posts/${post.id}`, { headers: { origin: stack.publicUrl }, data: { title: "Mine now" } });
    expect(write.status()).toBe(404);
    const into = await second.request.post("/api/posts", {
      headers: { origin: stack.publicUrl },
      data: { title: "Smuggled", blocks: [{ type: "paragraph", data: { text: "x" } }], workspace_id: workspaceId },
    });
    expect(into.status()).toBe(404);
    const kept = (await (await first.request.get(`/api/posts/${post.id}`)).json()) as { post: { title: string } };
    expect(kept.post.title).toBe("Only for us");
  });
});
