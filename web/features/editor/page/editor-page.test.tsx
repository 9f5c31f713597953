import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { acme, emptyDashboard, globex, ids, signedIn } from "../../../../tests/support/web/fixtures.ts";
import { changelogStubs, forgetDrafts, fullPost, paths, stubSockets, summary } from "../../../../tests/support/web/posts-support.ts";
import { renderApp } from "../../../../tests/support/web/render-app.tsx";
import { pending, refusal, stubApi } from "../../../../tests/support/web/stub-api.ts";
import type { LocalDraft } from "../../session/draft-store.ts";

vi.mock("../mount-editor.ts", async () => ({
  mountEditor: (await import("../../../../tests/support/web/posts-support.ts")).fakeMountEditor,
}));
const drafts = vi.hoisted(() => ({ put: vi.fn<(draft: unknown) => Promise<void> | undefined>() }));
vi.mock("../../session/draft-store.ts", async (original) => {
  const store = await original<typeof import("../../session/draft-store.ts")>();
  return { ...store, putDraft: (draft: LocalDraft) => drafts.put(draft) ?? store.putDraft(draft) };
});
vi.mock("../../posts/use-live-posts.ts", () => ({ useLivePosts: () => undefined }));

beforeEach(stubSockets);
beforeEach(forgetDrafts);

async function openEditor(at: string) {
  const app = renderApp(at);
  const body = await screen.findByRole("textbox", { name: "Body" });
  const title = screen.getByRole("textbox", { name: "Title" });
  return { ...app, title: title as HTMLTextAreaElement, body: body as HTMLTextAreaElement };
}

const openChangelog = { "GET /api/workspaces": { workspaces: [{ ...acme, public_changelog_enabled: true }] } };
const button = (name: string) => screen.getByRole("button", { name });
const save = "{Control>}s{/Control}";
const dialog = () => screen.findByRole("dialog");

describe("a new post", () => {
  test("is saved as a draft and gets its URL without remounting the editor", async () => {
    const api = stubApi({ ...changelogStubs(), "POST /api/posts": { post: fullPost({ title: "Hello" }) } });
    const { user, title, body, address } = await openEditor(paths.create);
    expect(document.activeElement).toBe(title);
    await user.type(title, "Hello");
    await user.type(body, "World");
    await user.keyboard(save);
    await screen.findByText("Your post has been saved as a draft");
    expect(screen.getByText("Draft saved")).toBeTruthy();
    await waitFor(() => expect(address()).toBe(paths.edit()));
    expect(screen.getByRole("textbox", { name: "Body" })).toBe(body);
    expect(screen.getByText(/^Saved · /)).toBeTruthy();
    const [request] = api.to("POST /api/posts");
    expect(request?.body).toMatchObject({ title: "Hello", workspace_id: ids.acme, tags: [], blocks: { version: "2.28.2" } });
    expect(api.to("GET /api/posts/*")).toHaveLength(0);
  });

  test("can be published directly", async () => {
    const published = fullPost({ status: "published", published_at: new Date().toISOString() });
    const api = stubApi({ ...changelogStubs(), ...openChangelog, "POST /api/posts": { post: published } });
    const { user, title, body } = await openEditor(paths.create);
    await user.type(title, "Hello");
    await user.type(body, "World");
    await user.click(button("Publish"));
    await user.click(within(await dialog()).getByRole("button", { name: "Publish" }));
    await screen.findByText("This changelog post is live");
    expect(screen.getByText("Post published")).toBeTruthy();
    expect(screen.getByText("Your post is now live")).toBeTruthy();
    expect(api.to("POST /api/posts")[0]?.body).toMatchObject({ status: "published", workspace_id: ids.acme });
    expect(screen.queryByRole("button", { name: "Publish" })).toBeNull();
  });
});

describe("the save state", () => {
  const state = (words: RegExp) => screen.findByText(words);

  test("of a draft is Saving…, then Saved, even without a title", async () => {
    const api = stubApi({ ...changelogStubs(), "PUT /api/posts/*": { post: fullPost({ title: "", version: 2 }) } });
    const { user, title } = await openEditor(paths.edit());
    expect(screen.getByText(/^Saved · /)).toBeTruthy();
    await user.clear(title);
    expect(screen.getByText("Saving…").getAttribute("aria-live")).toBe("off");
    await state(/^Saved/);
    expect(api.to("PUT /api/posts/*").map(({ body }) => body)).toMatchObject([{ title: "", autosave: true, version: 1 }]);
    expect(screen.queryByText("Draft saved")).toBeNull();
  });

  test("of a published post is Unsaved changes until it is saved", async () => {
    const live = fullPost({ status: "published", published_at: "2026-01-05T09:00:00+00:00" });
    const api = stubApi({ ...changelogStubs(live), "PUT /api/posts/*": { post: { ...live, version: 2 } } });
    const { user, body } = await openEditor(paths.edit());
    await user.type(body, " More.");
    await new Promise((done) => setTimeout(done, 2_500));
    expect(screen.getByText("Unsaved changes")).toBeTruthy();
    expect(api.to("PUT /api/posts/*")).toEqual([]);
    await user.click(button("Save"));
    await state(/^Saved/);
  });
});

describe("a failed save", () => {
  test("shows an error and keeps the text unsaved", async () => {
    stubApi({ ...changelogStubs(), "POST /api/posts": () => refusal("internal") });
    const { user, title, body } = await openEditor(paths.create);
    await user.type(title, "Hello");
    await user.type(body, "World");
    await user.keyboard(save);
    await screen.findByText("Failed to save");
    expect(screen.getByText("Please try again or contact support")).toBeTruthy();
    expect(body.value).toContain("World");
    expect(screen.getByText("Unsaved changes")).toBeTruthy();
  });

  test("after an ended session keeps the text and succeeds after signing in", async () => {
    const api = stubApi({
      ...changelogStubs(),
      "PUT /api/posts/*": () => refusal("unauthenticated"),
      "POST /api/auth/login": { workspaceId: ids.acme, user: { id: ids.person, email: "ada@acme.example", full_name: "Ada" } },
    });
    const { user, body } = await openEditor(paths.edit());
    await user.type(body, " Really.");
    await user.keyboard(save);
    const signIn = await dialog();
    expect(body.value).toBe("Twice as fast. Really.");
    expect(screen.queryByText("Failed to update post")).toBeNull();
    api.set({ "PUT /api/posts/*": { post: fullPost({ version: 2 }) } });
    await user.type(within(signIn).getByLabelText("Password"), "correct horse");
    await user.click(within(signIn).getByRole("button", { name: "Sign In" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.keyboard(save);
    await waitFor(() => expect(screen.queryByText("Unsaved changes")).toBeNull());
    expect(api.to("PUT /api/posts/*").at(-1)?.body).toMatchObject({ content_raw: expect.stringContaining("Really.") });
  });
});

describe("scheduling", () => {
  test("offers tomorrow at 09:00 and quick times in the browser's time zone", async () => {
    const api = stubApi({
      ...changelogStubs(),
      "PUT /api/posts/*": ({ body }: { body: unknown }) => ({
        post: fullPost({ status: "scheduled", publish_at: (body as { publish_at: string }).publish_at, version: 2 }),
      }),
    });
    const { user } = await openEditor(paths.edit());
    await user.click(button("Schedule"));
    const box = await dialog();
    expect((within(box).getByLabelText("Time") as HTMLInputElement).value).toBe("09:00");
    await user.click(within(box).getByRole("button", { name: "17:00" }));
    await user.click(within(box).getByRole("button", { name: "Schedule" }));
    await screen.findByText("Post scheduled");
    expect(screen.getByText("Your post has been scheduled for publication")).toBeTruthy();
    const sent = api.to("PUT /api/posts/*")[0]?.body as { publish_at: string; status: string };
    expect(sent.status).toBe("scheduled");
    expect(new Date(sent.publish_at).getHours()).toBe(17);
    await screen.findByText("This post is scheduled");
  });
});

describe("archiving and purging", () => {
  test.each([
    ["Archive", "Post archived", "The post has been archived successfully", ""],
    ["Purge", "Post purged", "The post has been purged successfully", "?purge=true"],
  ])("%s confirms, shows '%s' and leaves the post", async (action, sentence, description, query) => {
    const api = stubApi({ ...changelogStubs(), "DELETE /api/posts/*": { success: true, post: null } });
    const { user, address } = await openEditor(paths.edit());
    await user.click(button("More actions"));
    await user.click(await screen.findByText(action));
    await user.click(within(await dialog()).getByRole("button", { name: action }));
    await screen.findByText(sentence);
    expect(screen.getByText(description)).toBeTruthy();
    expect(api.to("DELETE /api/posts/*")[0]?.path).toBe(`/api/posts/${ids.post}${query}`);
    await waitFor(() => expect(address()).toBe(paths.changelog));
    await screen.findByText("You currently have no posts");
  });

  test("Undo restores an archived post and opens it", async () => {
    const live = fullPost({ status: "published", published_at: "2026-01-05T09:00:00+00:00" });
    const api = stubApi({
      ...changelogStubs(live),
      "DELETE /api/posts/*": { success: true, post: summary(1, { id: ids.post, status: "archived", version: 2 }) },
      "POST /api/posts/*/restore": { post: { ...live, version: 3 } },
    });
    const { user, address } = await openEditor(paths.edit());
    await user.click(button("More actions"));
    await user.click(await screen.findByText("Archive"));
    expect((await dialog()).textContent).toContain("from the Archived filter");
    await user.click(within(await dialog()).getByRole("button", { name: "Archive" }));
    await waitFor(() => expect(address()).toBe(paths.changelog));
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await screen.findByText("It's published again");
    expect(api.to("POST /api/posts/*/restore")[0]?.body).toEqual({ version: 2 });
    await waitFor(() => expect(address()).toBe(paths.edit()));
  });

  test("an immediate Undo navigates last", async () => {
    const stored = pending<void>();
    drafts.put.mockReturnValue(stored.promise);
    onTestFinished(() => void drafts.put.mockReset());
    const live = fullPost({ status: "published", published_at: "2026-01-05T09:00:00+00:00" });
    stubApi({
      ...changelogStubs(live),
      "DELETE /api/posts/*": { success: true, post: summary(1, { id: ids.post, status: "archived", version: 2 }) },
      "POST /api/posts/*/restore": { post: { ...live, version: 3 } },
    });
    const { user, body, router, address } = await openEditor(paths.edit());
    await user.type(body, " More.");
    const visited: string[] = [];
    router.subscribe(({ location, historyAction }) => visited.push(`${historyAction} ${location.pathname}`));
    await user.click(button("More actions"));
    await user.click(await screen.findByText("Archive"));
    await user.click(within(await dialog()).getByRole("button", { name: "Archive" }));
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await screen.findByText("It's published again");
    stored.resolve();
    await waitFor(() => expect(visited).toContain(`PUSH ${paths.changelog}`));
    await waitFor(() => expect(address()).toBe(paths.edit()));
    expect(visited.at(-1)).toBe(`PUSH ${paths.edit()}`);
  });
});

describe("leaving with unsaved changes", () => {
  test("saves a draft without asking", async () => {
    const api = stubApi({ ...changelogStubs(), "PUT /api/posts/*": { post: fullPost({ version: 2 }) } });
    const { user, body, address, router } = await openEditor(paths.edit());
    await user.type(body, " More.");
    void router.navigate(paths.create);
    await waitFor(() => expect(address()).toBe(paths.create));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(api.to("PUT /api/posts/*").map(({ body }) => body)).toMatchObject([
      { autosave: true, version: 1, content_raw: expect.stringContaining("More.") as string },
    ]);
  });

  test("continues when the new post gets its URL meanwhile", async () => {
    const dashboard = `/workspace/${ids.acme}/dashboard`;
    stubApi({
      ...changelogStubs(),
      "GET /api/dashboard/*/all": emptyDashboard,
      "POST /api/posts": { post: fullPost({ title: "Hello" }) },
      "PUT /api/posts/*": { post: fullPost({ title: "Hello", version: 2 }) },
    });
    const { user, title, address, router } = await openEditor(paths.create);
    await user.type(title, "Hello");
    const read = vi.spyOn(Response.prototype, "json");
    onTestFinished(() => read.mockRestore());
    read.mockImplementationOnce(async function (this: Response) {
      const json: unknown = JSON.parse(await this.text());
      void router.navigate(dashboard); // before the next render
      return json;
    });
    await user.keyboard(save);
    await waitFor(() => expect(address()).toBe(dashboard));
  });

  describe("into another workspace", () => {
    const globexDashboard = `/workspace/${ids.globex}/dashboard`;
    const switching = () => screen.findByRole("dialog", { name: "Switch workspace?" });

    test("a new post gets its URL after choosing to stay", async () => {
      stubApi({ ...changelogStubs(), ...signedIn([acme, globex]), "POST /api/posts": { post: fullPost({ title: "Hello" }) } });
      const { user, title, address, router } = await openEditor(paths.create);
      await user.type(title, "Hello");
      void router.navigate(globexDashboard);
      await user.click(within(await switching()).getByRole("button", { name: "Stay here" }));
      await user.keyboard(save);
      await waitFor(() => expect(address()).toBe(paths.edit()));
    });
  });
});
