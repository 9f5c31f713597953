import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { defaultTags } from "#contract/tags.ts";
import { ids } from "../../../../tests/support/web/fixtures.ts";
import { changelogStubs, forgetDrafts, fullPost, paragraph, paths, stubSockets } from "../../../../tests/support/web/posts-support.ts";
import { renderApp } from "../../../../tests/support/web/render-app.tsx";
import { type Asked, pending, refusal, stubApi } from "../../../../tests/support/web/stub-api.ts";

vi.mock("../editor/mount-editor.ts", async () => ({
  mountEditor: (await import("../../../../tests/support/web/posts-support.ts")).fakeMountEditor,
}));
vi.mock("../use-live-posts.ts", () => ({ useLivePosts: () => undefined }));

beforeEach(stubSockets);
beforeEach(forgetDrafts);

async function open(
  stubs: Parameters<typeof stubApi>[0] = {},
  post = fullPost({ version: 3 }),
  role: Parameters<typeof changelogStubs>[1] = "owner",
) {
  const api = stubApi({ ...changelogStubs(post, role), ...stubs });
  const app = renderApp(paths.edit());
  await screen.findByRole("textbox", { name: "Body" });
  const more = async (choice: string) => {
    await app.user.click(screen.getByRole("button", { name: "More actions" }));
    await app.user.click(await screen.findByText(choice));
  };
  return { ...app, api, more };
}

describe("history", () => {
  const revision = (version: number, author_name: string) => ({
    version,
    title: "Faster exports",
    status: "draft",
    tags: [],
    author_id: ids.person,
    summary: null,
    author_name,
    post_author_name: "Ada",
    published_at: null,
    cover_image: null,
    created_at: "2026-01-05T09:00:00+00:00",
  });
  const stubs = {
    "GET /api/posts/*/revisions": { revisions: [revision(3, "Ada"), revision(2, "Grace"), revision(1, "Alan")] },
    "GET /api/posts/*/revisions/2": { revision: { ...revision(2, "Grace"), content_raw: paragraph("As it was"), content_md: "" } },
  };

  test("shows who saved what and how it differs, and brings a version back", async () => {
    const { user, api, more } = await open({ ...stubs, "POST /api/posts/*/revisions/2/restore": { post: fullPost({ version: 4 }) } });
    await more("History");
    const dialog = await screen.findByRole("dialog", { name: "History" });
    await within(dialog).findByText("As it was");
    expect(within(dialog).getByText("Twice as fast.")).toBeTruthy();
    expect(
      within(dialog)
        .getAllByRole("button", { pressed: false })
        .map((button) => button.textContent),
    ).toEqual([expect.stringContaining("Alan")]);
    api.set({ "GET /api/posts/*": { post: fullPost({ version: 4, content_raw: paragraph("As it was") }) } });
    await user.click(within(dialog).getByRole("button", { name: "Restore version 2" }));
    await screen.findByText("Version restored");
    expect(api.to("POST /api/posts/*/revisions/2/restore")[0]?.body).toEqual({ version: 3 });
    await waitFor(() => expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Body" }).value).toBe("As it was"));
  });

  test("opens on the newest version that differs; Restore is offered only where it changes something", async () => {
    const same = { ...revision(2, "Grace"), tags: ["feature"], content_raw: paragraph("Twice as fast."), content_md: "" };
    const { user, more } = await open({
      ...stubs,
      "GET /api/posts/*/revisions/2": { revision: same },
      "GET /api/posts/*/revisions/1": { revision: { ...same, ...revision(1, "Alan"), content_raw: paragraph("The beginning") } },
    });
    await more("History");
    const dialog = await screen.findByRole("dialog", { name: "History" });
    await within(dialog).findByText("The beginning");
    const restore = (version: number) => within(dialog).getByRole<HTMLButtonElement>("button", { name: `Restore version ${version}` });
    expect(restore(1).disabled).toBe(false);
    expect(restore(1).className).toContain("primary");
    await user.click(within(dialog).getByRole("button", { name: /Grace/ }));
    await within(dialog).findByText("1 block is the same in both");
    expect(restore(2).disabled).toBe(true);
    expect(restore(2).className).not.toContain("primary");
    await user.click(within(dialog).getByRole("button", { name: /Alan/ }));
    await waitFor(() => expect(restore(1).disabled).toBe(false));
  });

  test("says where the date of publication or the author became another", async () => {
    const dated = { ...revision(3, "Ada"), post_author_name: "Olive", published_at: "2025-03-04T08:30:00.000Z" };
    const before = { ...revision(2, "Grace"), published_at: "2026-01-05T09:00:00.000Z" };
    const { more } = await open({ ...stubs, "GET /api/posts/*/revisions": { revisions: [dated, before, revision(1, "Alan")] } });
    await more("History");
    const [now, then] = within(await screen.findByRole("list", { name: "Versions" })).getAllByRole("listitem");
    expect(now?.textContent).toMatch(/Now, since .*Dated .*2025.*Author: Olive/);
    expect(then?.textContent).not.toMatch(/Dated|Author:/); // it was published then: nothing was set back
  });

  test("goes back to the first version, however many there are", async () => {
    const list = "GET /api/posts/*/revisions";
    const { user, api, more } = await open({
      ...stubs,
      [list]: ({ path }: Asked) =>
        path.endsWith("?before=2") ? { revisions: [revision(1, "Alan")] } : { revisions: [revision(3, "Ada"), revision(2, "Grace")] },
      "GET /api/posts/*/revisions/1": { revision: { ...revision(1, "Alan"), content_raw: paragraph("The beginning"), content_md: "" } },
    });
    await more("History");
    const versions = within(await screen.findByRole("list", { name: "Versions" }));
    await user.click(versions.getByRole("button", { name: "Older versions" }));
    await user.click(await versions.findByRole("button", { name: /Alan/ }));
    await screen.findByText("The beginning");
    expect(versions.queryByRole("button", { name: "Older versions" })).toBeNull();
    expect(api.to(list)).toHaveLength(2);
  });

  test("tells when somebody was faster", async () => {
    const { user, more } = await open({ ...stubs, "POST /api/posts/*/revisions/2/restore": () => refusal("version_conflict") });
    await more("History");
    await user.click(await screen.findByRole("button", { name: "Restore version 2" }));
    await screen.findByText("Somebody saved the post meanwhile. Reload it first.");
  });

  test("shows which tags a version had", async () => {
    const { more } = await open({
      ...stubs,
      "GET /api/posts/*/revisions/2": {
        revision: { ...revision(2, "Grace"), tags: ["fix"], content_raw: paragraph("Twice as fast."), content_md: "" },
      },
    });
    await more("History");
    const dialog = await screen.findByRole("dialog", { name: "History" });
    const tags = (await within(dialog).findByText("Tags")).closest("li")!;
    expect(tags.querySelector("del")?.textContent).toBe("Fix");
    expect(tags.querySelector("ins")?.textContent).toBe("Feature");
  });

  test("holds versions that came after the one on the screen, which is refreshed first", async () => {
    const { user, api, more } = await open(stubs, fullPost({ version: 2 }));
    api.set({
      "GET /api/posts/*/revisions/3": { revision: { ...revision(3, "Ada"), content_raw: paragraph("Newer words"), content_md: "" } },
    });
    await more("History");
    const dialog = await screen.findByRole("dialog", { name: "History" });
    await within(dialog).findByText("Newer words");
    expect(within(dialog).getByText(/saved again since you opened it/)).toBeTruthy();
    expect(within(dialog).queryByRole("button", { name: /Restore version/ })).toBeNull();
    api.set({ "GET /api/posts/*": { post: fullPost({ version: 3, content_raw: paragraph("Newer words") }) } });
    await user.click(within(dialog).getByRole("button", { name: "Discard & Refresh" }));
    await waitFor(() => expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Body" }).value).toBe("Newer words"));
  });

  test("brings one block back into the open text, unsaved, and shows what differs then", async () => {
    const { user, api, more } = await open(stubs);
    await more("History");
    const dialog = await screen.findByRole("dialog", { name: "History" });
    await user.click(await within(dialog).findByRole("button", { name: "Bring back: As it was" }));
    await screen.findByText("Changed in the text");
    await waitFor(() => expect(within(dialog).queryByRole("button", { name: "Bring back: As it was" })).toBeNull());
    expect(document.activeElement).toBe(within(dialog).getByRole("list", { name: "What differs" }));
    expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Body", hidden: true }).value).toContain("As it was");
    expect(api.to("POST /api/posts/*/revisions/2/restore")).toEqual([]);
  });

  test("compares two earlier versions, the older one first", async () => {
    const { user, more } = await open({
      ...stubs,
      "GET /api/posts/*/revisions/1": { revision: { ...revision(1, "Alan"), content_raw: paragraph("As it began"), content_md: "" } },
    });
    await more("History");
    const dialog = await screen.findByRole("dialog", { name: "History" });
    await user.selectOptions(within(dialog).getByRole("combobox", { name: "Version 2 and" }), "the version before it");
    await within(dialog).findByText("began");
    const legend = within(dialog).getByText("Version 1").parentElement!;
    expect(legend.textContent).toMatch(/^Version 1 Version 2/);
    expect(within(dialog).queryByRole("button", { name: /Bring back|Take out/ })).toBeNull();
  });

  test("shows what one person saved in one go as one", async () => {
    const live = (version: number) => ({ ...revision(version, "Ada"), status: "published" });
    const saves = [live(6), live(5), live(4), live(3), revision(2, "Grace")];
    const { user, more } = await open({ ...stubs, "GET /api/posts/*/revisions": { revisions: saves } }, fullPost({ version: 6 }));
    await more("History");
    const versions = within(await screen.findByRole("list", { name: "Versions" }));
    const shown = () => versions.getAllByRole("button").map(({ textContent }) => textContent.replace(/Jan.*\d\d:\d\d/, ", "));
    expect(shown()).toEqual(["PublishedAda, ", "1 save before it", "PublishedAda, Published", "DraftGrace, ", "Older versions"]);
    await user.click(versions.getByRole("button", { name: "1 save by Ada before it" }));
    expect(shown().slice(0, 3)).toEqual(["PublishedAda, ", "1 save before it", "PublishedAda, "]);
  });

  test("is only for reading for a viewer", async () => {
    const { more } = await open(stubs, fullPost({ version: 3 }), "viewer");
    await more("History");
    await screen.findByText("As it was");
    expect(screen.queryByRole("button", { name: /Restore/ })).toBeNull();
  });
});

describe("tags", () => {
  // jsdom has no layout, so PrimeReact measures its panel and leaves it hidden.
  const inPanel = (name: string) => ({ name, hidden: true });
  const list = "GET /api/workspaces/*/tags";
  const create = "POST /api/workspaces/*/tags";
  const offering = (tags: readonly object[]) => ({ tags, carried: [], former: {} });
  const mobile = { key: "mobile-app", label: "Mobile app", colour: "red" };

  test("are chosen by ticking and shown by their names", async () => {
    const { user } = await open({ [list]: offering([...defaultTags, mobile]), "PUT /api/posts/*": () => pending().promise });
    await user.click(screen.getByRole("button", { name: "Edit tags" }));
    await user.click(await screen.findByRole("checkbox", inPanel("Mobile app")));
    await user.click(screen.getByRole("checkbox", inPanel("Feature")));
    const shown = screen.getByRole("list", { name: "Tags" });
    expect(shown.textContent).toBe("Mobile app");
    expect(screen.getByText("Saving…")).toBeTruthy();
  });

  test("are created with a name and a colour, and chosen at once", async () => {
    const { user, api } = await open({ [list]: offering(defaultTags), [create]: { tag: mobile } });
    await user.click(screen.getByRole("button", { name: "Edit tags" }));
    const button = await screen.findByRole<HTMLButtonElement>("button", inPanel("Create tag"));
    expect(button.disabled).toBe(true);
    await user.type(screen.getByLabelText("New tag"), "docs");
    expect(button.disabled).toBe(true); // a default tag's key
    await user.clear(screen.getByLabelText("New tag"));
    await user.type(screen.getByLabelText("New tag"), "Mobile app");
    await user.click(screen.getByRole("radio", inPanel("red")));
    api.set({ [list]: offering([...defaultTags, mobile]) });
    await user.click(button);
    await waitFor(() => expect(screen.getByRole("list", { name: "Tags" }).textContent).toContain("Mobile app"));
    expect(api.to(create)[0]?.body).toEqual({ label: "Mobile app", colour: "red" });
  });

  test("take the focus when they are opened, and give it back; after a new one the next can be named", async () => {
    const { user } = await open({ [list]: offering(defaultTags), [create]: { tag: mobile } });
    const button = screen.getByRole("button", { name: "Edit tags" });
    await user.click(button);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("checkbox", inPanel("Feature"))));
    await user.type(screen.getByLabelText("New tag"), "Mobile app");
    await user.click(screen.getByRole("button", inPanel("Create tag")));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("New tag")));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement).toBe(button));
  });

  test("that were ticked while one was being created stay ticked", async () => {
    const answer = pending<object>();
    const { user, api } = await open({ [list]: offering(defaultTags), [create]: () => answer.promise });
    await user.click(screen.getByRole("button", { name: "Edit tags" }));
    await user.type(await screen.findByLabelText("New tag"), "Mobile app");
    await user.click(screen.getByRole("button", inPanel("Create tag")));
    await user.click(screen.getByRole("checkbox", inPanel("Improvement")));
    api.set({ [list]: offering([...defaultTags, mobile]) });
    answer.resolve({ tag: mobile });
    const shown = screen.getByRole("list", { name: "Tags" });
    await waitFor(() => expect(shown.textContent).toContain("Mobile app"));
    expect(shown.textContent).toContain("Improvement");
  });

  test("that cannot be created say why and keep their name", async () => {
    const { user } = await open({ [list]: offering(defaultTags), [create]: () => refusal("forbidden") });
    await user.click(screen.getByRole("button", { name: "Edit tags" }));
    await user.type(await screen.findByLabelText("New tag"), "Mobile");
    await user.click(screen.getByRole("button", inPanel("Create tag")));
    await screen.findByText("The tag was not created");
    expect(screen.getByLabelText<HTMLInputElement>("New tag").value).toBe("Mobile");
  });
});

test("an archived post can only be restored or purged", async () => {
  const { user, api } = await open({ "PUT /api/posts/*": { post: fullPost() } }, fullPost({ status: "archived" }));
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Title" }).readOnly).toBe(true);
  expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Restore as draft" }));
  await screen.findByText("Post restored");
  expect(api.to("PUT /api/posts/*")[0]?.body).toMatchObject({ status: "draft" });
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Title" }).readOnly).toBe(false);
});

test("an archived post says so, and can still be looked through and copied, also by a viewer", async () => {
  const archived = fullPost({ status: "archived", archived_at: "2026-01-06T09:00:00+00:00", version: 3 });
  const { user } = await open({ "GET /api/posts/*/revisions": { revisions: [] } }, archived, "viewer");
  expect(screen.getByText("This post is archived")).toBeTruthy();
  expect(screen.queryByText(/Restore it as a draft/)).toBeNull();
  await user.click(screen.getByRole("button", { name: "More actions" }));
  await screen.findByRole("menu");
  expect(menuLines()).toEqual(["History", "—", "Copy as Markdown", "Keyboard shortcuts"]);
});

/** The open menu from top to bottom: its lines between groups, and keys behind what they do. */
const menuLines = () =>
  [...screen.getByRole("menu").children].map((line) =>
    line.matches("hr") ? "—" : [...line.children].flatMap(({ textContent }) => textContent || []).join(" "),
  );

test("the post's menu is in groups, and shows and tells the keys that do the same", async () => {
  const { user } = await open();
  await user.click(screen.getByRole("button", { name: "More actions" }));
  const undo = await screen.findByRole("menuitem", { name: "Undo" });
  expect(undo.getAttribute("aria-keyshortcuts")).toBe("Control+Z Meta+Z");
  const lines = menuLines();
  expect(lines.slice(0, 3)).toEqual(["Undo Ctrl+Z", "Redo Ctrl+Shift+Z", "—"]);
  expect(lines.slice(-4)).toEqual(["Keyboard shortcuts", "—", "Archive", "Purge"]);
  expect(lines[lines.indexOf("Copy as Markdown") - 1]).toBe("—");
  await user.keyboard("{ArrowDown}{ArrowDown}"); // over the line
  expect(document.activeElement?.textContent).toContain("History");
});

test("a template is offered the title as its name, in whole words", async () => {
  const title = "Every block there is, and a title that goes on over more than one line";
  const { more } = await open({ "GET /api/workspaces/*/templates": { templates: [] } }, fullPost({ title, version: 3 }));
  await more("Keep as template");
  const name = await screen.findByLabelText("Name of the template");
  expect((name as HTMLInputElement).value).toBe("Every block there is, and a title that goes on over more");
});

test("Ctrl+Enter saves a post that is live already, and asks before it publishes another one", async () => {
  const live = fullPost({ status: "published", published_at: "2026-01-05T09:00:00+00:00" });
  const { user, api } = await open({ "PUT /api/posts/*": { post: { ...live, version: 2 } } }, live);
  await user.type(screen.getByRole("textbox", { name: "Body" }), " More");
  await user.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(api.to("PUT /api/posts/*")).toHaveLength(1));
  expect(api.to("PUT /api/posts/*")[0]?.body).toMatchObject({ status: "published", publish_at: null }); // as it is
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.queryByText("Post published")).toBeNull();
});

test("Save of a published post is the one thing to do only while something is unsaved", async () => {
  const { user } = await open({}, fullPost({ status: "published", published_at: "2026-01-05T09:00:00+00:00" }));
  const save = screen.getByRole("button", { name: "Save" });
  const isFilled = () => save.className.includes("primary");
  expect(screen.getByText("Saved")).toBeTruthy();
  expect(isFilled()).toBe(false);
  await user.type(screen.getByRole("textbox", { name: "Body" }), " More");
  await waitFor(() => expect(isFilled()).toBe(true));
});

test("a scheduled post whose time has come offers what a live one does", async () => {
  const { user } = await open({}, fullPost({ status: "scheduled", publish_at: new Date(Date.now() - 5_000).toISOString() }));
  expect(screen.getByText("This post is published")).toBeTruthy(); // the public changelog is off here
  for (const name of ["Publish", "Schedule"]) expect(screen.queryByRole("button", { name })).toBeNull();
  await user.click(screen.getByRole("button", { name: "More actions" }));
  await screen.findByText("History");
  expect(screen.queryByText("Unschedule")).toBeNull();
});

test("a post is copied as Markdown", async () => {
  const { user, more } = await open();
  const write = vi.spyOn(navigator.clipboard, "writeText");
  await more("Copy as Markdown");
  await screen.findByText("Copied as Markdown");
  expect(write).toHaveBeenCalledWith("# Faster exports\n\nTwice as fast.");
  expect(user).toBeTruthy();
});

test("'?' lists the keyboard shortcuts while the list of posts has the focus; elsewhere on an editor page it does nothing", async () => {
  const { user } = await open();
  await user.type(screen.getByRole("textbox", { name: "Body" }), "?");
  await user.click(document.body);
  await user.keyboard("?");
  expect(screen.queryByRole("dialog")).toBeNull();
  screen.getByRole("combobox", { name: "Status" }).closest("section")!.querySelector("a")!.focus();
  await user.keyboard("?");
  expect((await screen.findByRole("dialog", { name: "Keyboard shortcuts" })).textContent).toContain("Publish");
});
