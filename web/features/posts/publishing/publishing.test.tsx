import { noDetails } from "#contract/rules/post-details.ts";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Role } from "#contract/kinds.ts";
import { scheduleOf } from "#contract/rules/schedule.ts";
import { acme, ids } from "../../../../tests/support/web/fixtures.ts";
import { changelogStubs, forgetDrafts, fullPost, paths, stubSockets } from "../../../../tests/support/web/posts-support.ts";
import { renderApp } from "../../../../tests/support/web/render-app.tsx";
import { refusal, stubApi } from "../../../../tests/support/web/stub-api.ts";

vi.mock("../../editor/mount-editor.ts", async () => ({
  mountEditor: (await import("../../../../tests/support/web/posts-support.ts")).fakeMountEditor,
}));
vi.mock("../use-live-posts.ts", () => ({ useLivePosts: () => undefined }));
beforeEach(stubSockets);
beforeEach(forgetDrafts);

const other = "55555555-5555-4555-8555-555555555555";
const authors = {
  authors: [
    { user_id: other, full_name: "Olive Owner", avatar_url: null, role: "owner" },
    { user_id: ids.person, full_name: "Ada Lovelace", avatar_url: null, role: "editor" },
  ],
};
const open = { "GET /api/workspaces": { workspaces: [{ ...acme, public_changelog_enabled: true }] } };

async function openEditor(stubs: object = {}, post = fullPost(), role: Role = "owner") {
  const api = stubApi({ ...changelogStubs(post, role), "GET /api/workspaces/*/authors": authors, ...stubs });
  const app = renderApp(paths.edit());
  await screen.findByRole("textbox", { name: "Body" });
  const more = async (choice: string) => {
    await app.user.click(screen.getByRole("button", { name: "More actions" }));
    await app.user.click(await screen.findByText(choice));
    return await screen.findByRole("dialog");
  };
  return { ...app, api, more };
}
const dialog = (name: string) => screen.findByRole("dialog", { name });
const published = fullPost({ status: "published", published_at: "2026-01-05T09:00:00.000Z", version: 2 });

const openPublish = async (stubs: object = {}, role: Role = "owner") => {
  const app = await openEditor(stubs, fullPost({ public_changelog_enabled: false }), role);
  await app.user.click(screen.getByRole("button", { name: "Publish" }));
  const box = await dialog("Publish this post?");
  const publish = () => app.user.click(within(box).getByRole("button", { name: "Publish" }));
  return { ...app, box, publish };
};

describe("PublishDialog", () => {
  test("shows time, URL and visibility, and confirms on Enter", async () => {
    const { user, api } = await openEditor({ ...open, "PUT /api/posts/*": { post: published } });
    await user.click(screen.getByRole("button", { name: "Publish" }));
    const box = await dialog("Publish this post?");
    expect(box.textContent).toContain("acme.localhost:3000/releases/faster-exports");
    expect(box.textContent).toContain("Everyone, on your public page");
    expect(api.to("PUT /api/posts/*")).toHaveLength(0);
    await waitFor(() => expect(document.activeElement).toBe(within(box).getByRole("button", { name: "Publish" })));
    await user.keyboard("{Enter}");
    await screen.findByText("Your post is now live");
    await screen.findByText("This changelog post is live");
    expect(api.to("PUT /api/posts/*").map(({ body }) => (body as { status: string }).status)).toEqual(["published"]);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  test.each([
    ["internal", "Only your team"],
    [{ attribute: "plan", eq: "pro" }, "Readers whose plan is pro, in the widget"],
  ] as const)("says that a post for %j isn't for everyone", async (audience, words) => {
    const { user } = await openEditor(open, fullPost({ details: { ...noDetails, audience } }));
    await user.click(screen.getByRole("button", { name: "Publish" }));
    expect((await dialog("Publish this post?")).textContent).toContain(`Visible to${words}`);
  });

  test.each([
    [true, "Your post is now live"],
    [false, "Readers will see it once your public changelog is on"],
  ])("makes the owner's changelog public in the same call: %j", async (opens, toast) => {
    const answer = { post: { ...published, public_changelog_enabled: opens } };
    const { user, api, box, publish } = await openPublish({ "PUT /api/posts/*": answer });
    expect(box.textContent).toContain("Everyone, on your public page");
    if (!opens) {
      await user.click(within(box).getByRole("checkbox", { name: "Make my changelog public" }));
      expect(box.textContent).toContain("Only your team");
    }
    await publish();
    await screen.findByText(toast);
    const { public_changelog_enabled: sent } = api.to("PUT /api/posts/*")[0]!.body as { public_changelog_enabled?: true };
    expect(sent ?? false).toBe(opens);
  });

  test("tells everyone else whom to ask", async () => {
    const { box } = await openPublish({}, "editor");
    await within(box).findByText("Ask Olive Owner to turn it on.");
    expect(within(box).getByRole("note").textContent).toContain("Your public changelog is currently disabled.");
    expect(within(box).queryByRole("checkbox")).toBeNull();
  });

  test("edits the URL, with errors at the field", async () => {
    let taken = true;
    const put = () => (taken ? refusal("slug_taken", { slug: "Another post uses this URL." }) : Response.json({ post: published }));
    const { user, api, box, publish } = await openPublish({ "PUT /api/posts/*": put });
    await user.click(within(box).getByRole("button", { name: "Edit URL" }));
    const field = within(box).getByRole("textbox", { name: "Post URL, after /releases/" });
    expect(document.activeElement).toBe(field);
    await user.clear(field);
    await user.type(field, "dark mode");
    await publish();
    within(box).getByText("Please use letters, digits and single hyphens, 80 at most");
    await user.clear(field);
    await user.type(field, "Dark-Mode");
    await publish();
    await within(box).findByText("Another post uses this URL.");
    expect(screen.queryByText("Failed to publish post")).toBeNull();
    await user.type(field, "2");
    expect(within(box).queryByText("Another post uses this URL.")).toBeNull();
    taken = false;
    await publish();
    await waitFor(() => expect(box.isConnected).toBe(false));
    expect(api.to("PUT /api/posts/*").map(({ body }) => (body as { slug: string }).slug)).toEqual(["dark-mode", "dark-mode2"]);
  });

  test("shows a toast offline, before opening and on confirming, and sends nothing", async () => {
    const { user, api } = await openEditor();
    const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    onTestFinished(() => online.mockRestore());
    for (const name of ["Publish", "Schedule"]) {
      await user.click(screen.getByRole("button", { name }));
      await screen.findByText(`Connect to the internet to ${name.toLowerCase()} this post.`);
      expect(screen.queryByRole("dialog")).toBeNull();
    }
    online.mockReturnValue(true);
    await user.click(screen.getByRole("button", { name: "Publish" }));
    const box = await dialog("Publish this post?");
    online.mockReturnValue(false);
    await user.click(within(box).getByRole("button", { name: "Publish" }));
    await waitFor(() => expect(screen.getAllByText("Connect to the internet to publish this post.")).toHaveLength(2));
    expect(screen.queryByText("Failed to publish post")).toBeNull();
    expect(screen.queryByText(/when you reconnect/)).toBeNull();
    expect(api.to("PUT /api/posts/*")).toEqual([]);
    expect(box.isConnected).toBe(true);
  });

  test("shows a failure only once it is certain", async () => {
    const { user } = await openEditor({ "PUT /api/posts/*": () => refusal("internal") });
    await user.click(screen.getByRole("button", { name: "Publish" }));
    await user.click(within(await dialog("Publish this post?")).getByRole("button", { name: "Publish" }));
    await screen.findByText(/Checking whether your change went through/);
    expect(screen.queryByText("Failed to publish post")).toBeNull();
    await screen.findByText("Failed to publish post", {}, { timeout: 5_000 });
    expect(screen.queryByText(/Checking whether/)).toBeNull();
  });
});

describe("MailFacts", () => {
  const audience = { enabled: true, now: 312, digests: 88, undo_minutes: 5, quiet: false, told: false };
  const openDialog = (changes: object, stubs: object = {}) => {
    const api = { "GET /api/workspaces/*/subscribers/audience": { audience: { ...audience, ...changes } } };
    return openPublish({ ...open, ...api, "PUT /api/posts/*": { post: published }, ...stubs });
  };
  const bodyOf = async (api: Awaited<ReturnType<typeof openDialog>>["api"]) => {
    await waitFor(() => expect(api.to("PUT /api/posts/*")).toHaveLength(1));
    return api.to("PUT /api/posts/*")[0]!.body;
  };

  test("shows the number of emails and the time to cancel them", async () => {
    const { user, api, box } = await openDialog({});
    const checkbox = await within(box).findByRole("checkbox", { name: "Email 312 subscribers now, 88 in digests" });
    expect((checkbox as HTMLInputElement).checked).toBe(true);
    expect(box.textContent).toContain("Sent 5 minutes after it's published.");
    await user.click(within(box).getByRole("button", { name: "Publish" }));
    expect(await bodyOf(api)).toMatchObject({ status: "published", notify: true });
    expect(api.to("GET /api/workspaces/*/subscribers/audience")[0]?.path).toContain(`post=${ids.post}`);
  });

  test("sends a test email of what is on the screen", async () => {
    const { user, api, box } = await openDialog(
      { now: 0, digests: 0 },
      { "POST /api/workspaces/*/posts/preview/email": { sent: true, to: "ada@acme.example" } },
    );
    await within(box).findByText("No subscribers get this post.");
    await user.click(within(box).getByRole("button", { name: "Send me a test email" }));
    await screen.findByText("To ada@acme.example");
    const [sent] = api.to("POST /api/workspaces/*/posts/preview/email");
    expect(sent!.body).toMatchObject({ post_id: ids.post, title: "Faster exports", tags: ["feature"] });
  });

  test.each([
    [{ now: 0, digests: 1, undo_minutes: 0 }, "Email 1 subscriber in a digest"],
    [{ now: 0, digests: 1200, undo_minutes: 1 }, "Email 1,200 subscribers in digests"],
  ])("shows %j as %s", async (changes, name) => {
    const { box } = await openDialog(changes);
    await within(box).findByRole("checkbox", { name });
  });
});

describe("PublicationDialog", () => {
  test("sends only the date and author, for the shown version", async () => {
    const saved = { ...published, version: 3, published_at: "2025-03-04T08:30:00.000Z", author_id: other, author_name: "Olive Owner" };
    const { user, api, more } = await openEditor({ ...open, "PUT /api/posts/*": { post: saved } }, published);
    const box = await more("Date and author");
    await within(box).findByRole("option", { name: "Olive Owner" });
    await user.selectOptions(within(box).getByLabelText("Author"), "Olive Owner");
    const date = within(box).getByLabelText("Date");
    await user.clear(date);
    await user.type(date, "2025-03-04");
    await user.click(within(box).getByRole("button", { name: "Save" }));
    await screen.findByText("Date and author updated");
    const { published_at, ...body } = api.to("PUT /api/posts/*")[0]!.body as { published_at: string };
    expect(body).toEqual({ author_id: other, version: 2 });
    expect(scheduleOf(published_at).day).toBe("2025-03-04");
  });
});
