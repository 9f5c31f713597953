import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { acme, globex, ids, signedIn } from "../../../../tests/support/web/fixtures.ts";
import {
  changelogStubs,
  forgetDrafts,
  fullPost,
  listOf,
  paragraph,
  paths,
  stubSockets,
  summary,
} from "../../../../tests/support/web/posts-support.ts";
import { renderApp } from "../../../../tests/support/web/render-app.tsx";
import { pending, stubApi } from "../../../../tests/support/web/stub-api.ts";

vi.mock("../mount-editor.ts", async () => ({
  mountEditor: (await import("../../../../tests/support/web/posts-support.ts")).fakeMountEditor,
}));
vi.mock("../../posts/use-live-posts.ts", () => ({ useLivePosts: () => undefined }));

beforeEach(stubSockets);
beforeEach(forgetDrafts);

const bodyBox = () => screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Body" });
const leaving = () => screen.findByRole("dialog", { name: "Leave without saving?" });

async function writeNew(at: string, answer: object | (() => unknown) = { post: fullPost({ title: "Hello" }) }) {
  const api = stubApi({ ...changelogStubs(fullPost({ title: "Hello" })), "POST /api/posts": answer });
  const app = renderApp(at);
  const body = await bodyBox();
  await app.user.type(screen.getByRole("textbox", { name: "Title" }), "Hello");
  await app.user.type(body, "World");
  return { ...app, api, body };
}

describe("a new post", () => {
  test("without a workspace in its URL gets a URL without one and keeps the editor", async () => {
    const { user, body, address } = await writeNew("/changelog/new");
    await user.keyboard("{Control>}s{/Control}");
    await waitFor(() => expect(address()).toBe(`/changelog/edit/${ids.post}`));
    await user.type(body, "!");
    expect(await bodyBox()).toBe(body);
    expect(document.activeElement).toBe(body);
  });

  test("stays mounted on a link within the page", async () => {
    const { body, router } = await writeNew(paths.create);
    await act(() => router.navigate(`${paths.create}#content`));
    expect(await bodyBox()).toBe(body);
    await act(() => router.navigate(-1));
    expect(await bodyBox()).toBe(body);
    expect(body.value).toBe("World");
  });

  test("saved after leaving doesn't navigate back", async () => {
    const answer = pending<object>();
    const { user, api, router, address } = await writeNew(paths.create, () => answer.promise);
    const other = summary(7);
    api.set({ "GET /api/posts/*": { post: fullPost({ ...other, content_raw: paragraph("Another post") }) } });
    await user.keyboard("{Control>}s{/Control}");
    void router.navigate(paths.edit(other.id));
    await user.click(within(await leaving()).getByRole("button", { name: "Leave" }));
    await waitFor(async () => expect((await bodyBox()).value).toBe("Another post"));
    answer.resolve({ post: fullPost({ title: "Hello" }) });
    await screen.findByText("Draft saved");
    expect(address()).toBe(paths.edit(other.id));
    expect((await bodyBox()).value).toBe("Another post");
  });
});

describe("a post of another workspace", () => {
  const theirs = fullPost({ workspace_id: ids.globex, content_raw: paragraph("Beta") });

  test.each([
    ["no workspace", `/changelog/edit/${ids.post}`],
    ["another workspace", paths.edit()],
  ])("opens in its own workspace from a URL with %s", async (_, at) => {
    sessionStorage.setItem("tc:lastWorkspaceId", ids.acme);
    stubApi({
      ...changelogStubs(theirs),
      ...signedIn([acme, { ...globex, role: "editor" }]),
      "GET /api/workspaces/*/posts": listOf([theirs]),
    });
    const { address } = renderApp(at);
    await waitFor(() => expect(address()).toBe(`/workspace/${ids.globex}/changelog/edit/${ids.post}`));
    expect((await bodyBox()).value).toBe("Beta");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.getAllByText("Globex").length).toBeGreaterThan(0);
  });
});
