import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { EntryState, ImportedPost, WorkspaceImport } from "#contract/imports.ts";
import type { Role } from "#contract/kinds.ts";
import { defaultTags } from "#contract/tags.ts";
import { stubReader } from "../../../tests/support/web/fake-reader.ts";
import { acme, emptyDashboard, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { anImport, changelogOf, importId, importServer } from "../../../tests/support/web/import-server.ts";
import { changelogStubs, fullPost, listOf, paths } from "../../../tests/support/web/posts-support.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { type Asked, pending, refusal, stubApi } from "../../../tests/support/web/stub-api.ts";

const address = `/workspace/${ids.acme}/import`;
const api = `/api/workspaces/${ids.acme}/imports`;

beforeEach(async () => {
  stubReader();
  await new Promise((resolve) => {
    indexedDB.deleteDatabase("tidings-imports").onsuccess = resolve;
  });
});

interface Options {
  states?: Record<string, EntryState>;
  past?: WorkspaceImport[];
  role?: Role;
}

/** The page, with a server behind it that keeps what it is sent. */
async function open({ role = "owner", ...options }: Options = {}, more: Parameters<typeof stubApi>[0] = {}) {
  const server = importServer(options);
  const stubs = stubApi({
    ...signedIn([{ ...acme, role }]),
    "GET /api/workspaces/*/tags": { tags: [...defaultTags], carried: [], former: {} },
    "POST /api/workspaces/*/tags": ({ body }: Asked) => {
      const { label } = body as { label: string };
      return Response.json({ tag: { key: label.toLowerCase(), label, colour: "blue" } }, { status: 201 });
    },
    ...server.stubs,
    ...more,
  });
  const app = renderApp(address);
  await screen.findByRole("heading", { name: "Import posts" });
  return { ...app, server, api: stubs };
}
type Opened = Awaited<ReturnType<typeof open>>;

const choose = async ({ user }: Pick<Opened, "user">, file: File | File[]) =>
  user.upload(await screen.findByLabelText(/Choose files, or drop them/), file);
const table = () => screen.findByRole("table", { name: /posts? in/ });
const titles = (rows: HTMLElement) =>
  within(rows)
    .getAllByRole("rowheader")
    .map(({ textContent }) => /^1\.\d+\.0/.exec(textContent)?.[0]);
/** With addresses that say whose versions they are. */
const ofAcme = (version: number): string =>
  `### Added\n\n- Thing ${version}\n\n[1.${version}.0]: https://github.com/acme/rocket/releases/tag/v1.${version}.0\n`;
const tick = (version: string) => screen.getByRole<HTMLInputElement>("checkbox", { name: `Import “${version}”` });
const start = (words: RegExp | string = /^Import \d/) => screen.getByRole("button", { name: words });
const sent = ({ server }: Opened): Partial<ImportedPost>[] => server.written;

const busyFor = (seconds: number) =>
  new Response(JSON.stringify({ error: "Too many requests.", code: "rate_limited" }), {
    status: 429,
    headers: { "retry-after": String(seconds) },
  });

test("files that do not say where their site is are read again with its address, which keeps old addresses and pictures", async () => {
  const opened = await open();
  const post = { id: "1", uuid: "u1", title: "Hello", slug: "hello", status: "published", published_at: "2024-05-15T08:00:00.000Z" };
  const html = '<p>Hi</p><img src="__GHOST_URL__/content/images/a.png">';
  const data = { posts: [{ ...post, html }], tags: [], posts_tags: [], users: [], settings: [] };
  await choose(opened, new File([JSON.stringify({ db: [{ meta: { version: "5.0.0" }, data }] })], "site.json"));
  await table();
  const field = screen.getByLabelText("Where the site is");
  const again = screen.getByRole("button", { name: "Read again with it" });
  await opened.user.type(field, "no site");
  await opened.user.click(again);
  await screen.findByText(/Please enter a valid URL/);
  await opened.user.clear(field);
  await opened.user.type(field, "blog.acme.example");
  await opened.user.click(again);
  await waitFor(() => expect(screen.queryByLabelText("Where the site is")).toBeNull());
  await opened.user.click(await screen.findByRole("button", { name: /^Import \d/ }));
  await waitFor(() => expect(sent(opened)).toHaveLength(1));
  expect(sent(opened)[0]!.old_urls).toEqual(["https://blog.acme.example/hello/"]);
  expect(opened.api.to(`POST ${api}/*/images`).map(({ body }) => body)).toEqual([
    { url: "https://blog.acme.example/content/images/a.png" },
  ]);
});

test("links between files lead to an address of the workspace's own page that nobody is shown as a former one", async () => {
  const opened = await open();
  const file = (name: string, text: string) => new File([`---\ndate: 2024-01-02\n---\n# ${name}\n\n${text}`], name);
  await choose(opened, [file("first.md", "[the other](./second.md)"), file("second.md", "Words.")]);
  expect(within(await table()).queryByText(/^was /)).toBeNull();
  await opened.user.click(start());
  await waitFor(() => expect(sent(opened)).toHaveLength(2));
  const [address] = sent(opened).find(({ title }) => title === "second.md")!.old_urls!;
  expect(address).toMatch(/^https?:\/\/acme\.[^/]+\/releases\/files\/second$/);
  expect(JSON.stringify(sent(opened).find(({ title }) => title === "first.md")!.blocks)).toContain(
    `<a href=\\"${address}\\">the other</a>`,
  );
});

test("whoever drops files reads whose can be read", async () => {
  await open();
  const { textContent } = (await screen.findByLabelText(/Choose files, or drop them/)).closest("label")!;
  for (const name of ["WordPress", "Notion", "Ghost", "Quackback", "Beamer", "AnnounceKit", "Canny", "LaunchNotes", "Headway", "CSV"])
    expect(textContent).toContain(name);
});

describe("who may", () => {
  test.each<Role>(["viewer", "editor"])("a %s reads who may, and nothing is asked", async (role) => {
    const opened = await open({ role });
    expect(screen.getByText("Owners and administrators bring posts along.")).toBeTruthy();
    expect(opened.api.to(`GET ${api}`)).toEqual([]);
  });

  test.each<Role>(["owner", "admin"])("a %s finds the page in the settings menu", async (role) => {
    stubApi({ ...signedIn([{ ...acme, role }]), ...importServer().stubs });
    const { user, address: at } = renderApp(`/workspace/${ids.acme}/team`);
    await user.click(await screen.findByRole("button", { name: "Settings" }));
    await user.click(await screen.findByRole("menuitem", { name: "Import posts" }));
    await waitFor(() => expect(at()).toBe(address));
  });

  test.each<[Role, boolean]>([
    ["owner", true],
    ["admin", true],
    ["editor", false],
  ])("an empty list leads a %s there: %s", async (role, leads) => {
    stubApi({ ...changelogStubs(fullPost(), role), "GET /api/workspaces/*/posts": listOf([], 1, 0) });
    renderApp(paths.changelog);
    await screen.findByRole("heading", { name: "You currently have no posts" });
    const link = screen.queryByRole("link", { name: "Bring your posts along" });
    expect(link?.getAttribute("href") ?? null).toBe(leads ? address : null);
  });

  test.each<[Role, boolean]>([
    ["admin", true],
    ["editor", false],
  ])("so do the settings and the first steps of a new workspace, a %s: %s", async (role, leads) => {
    stubApi({ ...signedIn([{ ...acme, role }]), "GET /api/dashboard/*/all": emptyDashboard, "GET /api/posts/upcoming": { posts: [] } });
    const settings = renderApp(`/workspace/${ids.acme}/settings`);
    await screen.findByRole("heading", { name: "Workspace settings" });
    expect(screen.queryByRole("link", { name: "Import posts" }) !== null).toBe(leads);
    settings.unmount();
    renderApp(`/workspace/${ids.acme}/dashboard`);
    await screen.findByRole("heading", { name: "Recent Activity" });
    expect(screen.queryByRole("link", { name: "Bring your posts along" }) !== null).toBe(leads);
  });
});

describe("imports so far", () => {
  test("wait, are none, or cannot be read and are asked for again", async () => {
    const first = pending<object>();
    const opened = await open({}, { [`GET ${api}`]: () => first.promise });
    await screen.findByText("Loading the imports");
    first.resolve(refusal("unavailable"));
    const alert = (await screen.findByText("The imports could not be read")).closest<HTMLElement>("[role=alert]")!;
    opened.api.set({ [`GET ${api}`]: { imports: [] } });
    await opened.user.click(within(alert).getByRole("button", { name: "Try again" }));
    await screen.findByText("Nothing was imported yet");
  });

  test("say what, when, who and how much; what was taken back cannot be again", async () => {
    const past = [
      anImport({ id: ids.post, name: "acme/widgets", source: "github", made: 120, replaced: 3, failed: 1 }),
      anImport({ name: "Acme news", source: "feed", made: 4, undone_at: "2026-01-06T09:00:00.000Z", left: 2 }),
      anImport({ id: ids.globex, name: "blog.json", source: "ghost", made: 25, total: 80, finished_at: null }),
    ];
    await open({ past });
    const rows = within(await screen.findByRole("table", { name: "Imports so far" }))
      .getAllByRole("row")
      .slice(1);
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^acme\/widgetsGitHub releases.*Ada Lovelace120 new, 3 replaced, 1 failed/),
      expect.stringMatching(/^Acme newsFeed.*4 newTaken back; 2 stayedShow what stayed$/),
      expect.stringMatching(/^blog.jsonGhost.*25 new25 of 80, not finished/),
    ]);
    expect(rows.map((row) => within(row).queryByRole("button", { name: /^Undo/ }) !== null)).toEqual([true, false, true]);
  });

  test("are taken back after one question, as long as the server says that more is left", async () => {
    const answers = [true, true, false];
    const opened = await open(
      { past: [anImport({ made: 500 })] },
      {
        [`DELETE ${api}/*`]: () => ({
          import: anImport({ made: 500, undone_at: "2026-01-06T09:00:00.000Z", left: 2 }),
          unfinished: answers.shift(),
        }),
      },
    );
    await opened.user.click(await screen.findByRole("button", { name: "Undo the import of CHANGELOG.md" }));
    const dialog = await screen.findByRole("dialog", { name: "Undo the import of CHANGELOG.md?" });
    expect(dialog.textContent).toContain("What somebody has changed since stays as it is");
    expect(opened.api.to(`DELETE ${api}/*`)).toHaveLength(0);
    await opened.user.click(within(dialog).getByRole("button", { name: "Undo the import" }));
    await screen.findByText("The import was taken back");
    expect(screen.getByText("2 posts stayed: somebody has changed them since")).toBeTruthy();
    expect(opened.api.to(`DELETE ${api}/*`)).toHaveLength(3);
    expect(opened.api.to(`GET ${api}`)).toHaveLength(2);
  });

  test("name what stayed when they were taken back", async () => {
    const entry = (title: string, outcome: "made" | "replaced", post_id: string | null) => ({
      ...{ external_id: title, title, outcome, post_id, problem: null },
    });
    const back = anImport({ made: 3, replaced: 1, undone_at: "2026-01-06T09:00:00.000Z", left: 2 });
    const entries = [entry("Changed", "made", ids.post), entry("Deleted", "made", null), entry("Older", "replaced", ids.globex)];
    const opened = await open(
      { past: [anImport({ made: 3 })] },
      {
        [`DELETE ${api}/*`]: () => {
          opened.api.set({ [`GET ${api}`]: { imports: [back] } });
          return { import: back, unfinished: false };
        },
        [`GET ${api}/*`]: { import: back, entries },
      },
    );
    await opened.user.click(await screen.findByRole("button", { name: "Undo the import of CHANGELOG.md" }));
    await opened.user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Undo the import" }));
    await screen.findByText("2 posts stayed: somebody has changed them since (“Changed” and 1 more)");
    await opened.user.click(await screen.findByRole("button", { name: "Show what stayed of CHANGELOG.md" }));
    const list = await screen.findByRole("list", { name: "What stayed of CHANGELOG.md" });
    expect(within(list).getByRole("link", { name: "Changed" }).getAttribute("href")).toBe(paths.edit());
    expect(list.textContent).toBe("Changed1 deleted since, or here before the import");
  });

  test("wait while nothing answers, can be left alone then, and are taken back when asked again", async () => {
    const opened = await open(
      { past: [anImport({ made: 500 })] },
      { [`DELETE ${api}/*`]: () => Promise.reject(new TypeError("Failed to fetch")) },
    );
    const { user } = opened;
    const ask = async () => {
      await user.click(await screen.findByRole("button", { name: "Undo the import of CHANGELOG.md" }));
      await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Undo the import" }));
    };
    await ask();
    await within(screen.getByRole("dialog")).findByText(/The server cannot be reached/);
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    const asked = opened.api.to(`DELETE ${api}/*`).length;
    fireEvent(window, new Event("online")); // it would end a wait
    await act(async () => {});
    expect(opened.api.to(`DELETE ${api}/*`)).toHaveLength(asked);
    expect(screen.queryByText("The import was not all taken back")).toBeNull();

    opened.api.set({
      [`DELETE ${api}/*`]: { import: anImport({ made: 500, undone_at: "2026-01-06T09:00:00.000Z" }), unfinished: false },
    });
    await ask();
    await screen.findByText("The import was taken back");
  });

  test("stay, and the question too, where taking back is refused", async () => {
    const opened = await open({ past: [anImport()] }, { [`DELETE ${api}/*`]: () => refusal("forbidden") });
    await opened.user.click(await screen.findByRole("button", { name: "Undo the import of CHANGELOG.md" }));
    await opened.user.click(await screen.findByRole("button", { name: "Undo the import" }));
    await screen.findByText("The import was not all taken back");
    expect(screen.getByRole("dialog")).toBeTruthy();
  });
});

describe("from an address", () => {
  const page = (tag: string, next: string | null) => ({
    ...{ name: "releases.json", address: "https://api.github.com/repos/acme/widgets/releases", next },
    text: JSON.stringify([
      {
        ...{ id: Number(tag), tag_name: tag, name: `Version ${tag}`, body: "It is *out*.", draft: false, prerelease: false },
        ...{
          published_at: "2020-01-05T09:00:00Z",
          created_at: "2020-01-05T09:00:00Z",
          html_url: `https://github.com/acme/widgets/releases/tag/${tag}`,
        },
      },
    ]),
  });

  test("the server's sentence stands at its field, and what was typed stays", async () => {
    const { user } = await open();
    await user.type(await screen.findByLabelText("Repository"), "acme/none");
    await user.click(screen.getByRole("button", { name: "Look at its posts" }));
    await screen.findByText("There is no repository of this name, or it is private.");
    const field = screen.getByLabelText<HTMLInputElement>("Repository");
    expect([field.value, field.getAttribute("aria-invalid")]).toEqual(["acme/none", "true"]);
    await waitFor(() => expect(document.activeElement).toBe(field));
  });

  test("comes page by page; the key is sent each time, and what was typed is there again afterwards", async () => {
    const pages = [page("1", "page=2"), page("2", null)];
    const opened = await open({}, { [`POST ${api}/source`]: () => pages.shift() });
    const { user } = opened;
    await user.type(await screen.findByLabelText("Repository"), "acme/widgets");
    await user.type(screen.getByLabelText(/^Access token/), "secret");
    await user.keyboard("{Enter}");
    expect((await table()).textContent).toContain("Version 2");
    expect(opened.api.to(`POST ${api}/source`).map(({ body }) => body)).toEqual([
      { source: "github", address: "acme/widgets", key: "secret", after: null },
      { source: "github", address: "acme/widgets", key: "secret", after: "page=2" },
    ]);
    await user.click(screen.getByRole("button", { name: "Back" }));
    expect((await screen.findByLabelText<HTMLInputElement>("Repository")).value).toBe("acme/widgets");
    expect(screen.getByLabelText<HTMLInputElement>(/^Access token/).value).toBe("secret");
  });

  test("choosing another source empties the address and the key", async () => {
    const { user } = await open();
    await user.type(await screen.findByLabelText("Repository"), "acme/widgets");
    await user.type(screen.getByLabelText(/^Access token/), "secret");
    await user.selectOptions(screen.getByLabelText("Where from"), "announcekit");
    expect((await screen.findByLabelText<HTMLInputElement>("Project")).value).toBe("");
    expect(screen.getByLabelText<HTMLInputElement>("Access token").value).toBe("");
  });

  test("a wait between its pages is said, and cancelled with the rest", async () => {
    const opened = await open(
      {},
      { [`POST ${api}/source`]: ({ body }: Asked) => ((body as { after: string | null }).after === null ? page("1", "2") : busyFor(90)) },
    );
    await opened.user.type(await screen.findByLabelText("Repository"), "acme/widgets{Enter}");
    await screen.findByText(/The server takes no more at the moment. This goes on by itself at/);
    await opened.user.click(screen.getByRole("button", { name: "Cancel" }));
    await screen.findByLabelText(/Choose files/);
  });

  const feedOf = (title: string) => ({
    ...{ name: "feed.xml", address: "https://acme.example/feed?token=secret", next: null },
    text: `<rss version="2.0"><channel><title>${title}</title><link>https://acme.example</link><item><title>Dark mode</title>
      <guid>1</guid><pubDate>Sun, 05 Jan 2020 09:00:00 GMT</pubDate><description>It is here.</description></item></channel></rss>`,
  });

  test.each([
    ["whose title is endless is called by its beginning", "news ".repeat(60), `${"news ".repeat(40).trim()}…`],
    ["without a title is called by its host and path, never by what may hold a secret", "", "acme.example/feed"],
  ])("a feed %s", async (_, title, name) => {
    const opened = await open({}, { [`POST ${api}/source`]: feedOf(title) });
    const { user } = opened;
    await user.selectOptions(await screen.findByLabelText("Where from"), "feed");
    await user.type(screen.getByLabelText(/^Address/), "https://acme.example/feed?token=secret");
    await user.click(screen.getByRole("button", { name: "Look at its posts" }));
    await table();
    await user.click(start());
    await screen.findByRole("heading", { name: /^All of/ });
    expect(opened.api.to(`POST ${api}`)[0]!.body).toEqual({ source: "feed", name, total: 1 });
  });

  test("asks for what a source needs and sends nothing else", async () => {
    const opened = await open();
    const { user } = opened;
    await user.type(await screen.findByLabelText(/^Access token/), "of another product");
    await user.selectOptions(screen.getByLabelText("Where from"), "Headway page");
    expect(screen.queryByLabelText(/token|key/i)).toBeNull();
    await user.type(screen.getByLabelText("Address of the page"), "https://headwayapp.co/acme");
    await user.click(screen.getByRole("button", { name: "Look at its posts" }));
    await waitFor(() => expect(opened.api.to(`POST ${api}/source`)).toHaveLength(1));
    expect(opened.api.to(`POST ${api}/source`)[0]!.body).toMatchObject({
      source: "headway",
      address: "https://headwayapp.co/acme",
      key: "",
    });
    await user.selectOptions(screen.getByLabelText("Where from"), "Beamer");
    expect(screen.getByLabelText("API key").getAttribute("type")).toBe("password");
    expect(screen.queryByLabelText(/Address/)).toBeNull();
  });
});

describe("before anything is written", () => {
  test("posts are shown with their date, tags, address and state; new and changed-there ones are ticked", async () => {
    const opened = await open({ states: { "1.1.0": "same", "1.2.0": "there", "1.3.0": "here", "1.4.0": "both", "1.5.0": "gone" } });
    await choose(opened, changelogOf(6, ofAcme));
    const rows = await table();
    expect(titles(rows)).toEqual(["1.6.0", "1.5.0", "1.4.0", "1.3.0", "1.2.0", "1.1.0"]);
    const ticks = within(rows).getAllByRole<HTMLInputElement>("checkbox");
    expect(ticks.map(({ checked }) => checked)).toEqual([true, false, false, false, true, false]);
    expect(rows.textContent).toMatch(/Deleted here.*Changed in both.*Changed here.*Changed there.*The same/);
    expect(screen.getByText(/1 new, 1 the same, 1 changed there, 1 changed here/)).toBeTruthy();
    expect(screen.getByText("2 of 6 ticked")).toBeTruthy();
    expect(screen.queryByText(/look before you replace/)).toBeNull();
    expect(opened.api.to(`POST ${api}`)).toHaveLength(0);
  });

  test("what may be another product's post is not ticked, and a note says so", async () => {
    const opened = await open({ states: { "1.1.0": "there", "1.2.0": "both" } });
    await choose(opened, changelogOf(3));
    const ticks = within(await table()).getAllByRole<HTMLInputElement>("checkbox");
    expect(ticks.map(({ checked }) => checked)).toEqual([true, false, false]);
    expect(screen.getByText(/posts of another file may have the same ones: look before you replace/)).toBeTruthy();
  });

  test("are paged by fifty and found by words; ticking follows what is found", async () => {
    const opened = await open();
    const { user } = opened;
    await choose(opened, changelogOf(120));
    expect(within(await table()).getAllByRole("row")).toHaveLength(51);
    await user.click(screen.getByRole("button", { name: "Next" }));
    expect(screen.getByText("51–100 of 120")).toBeTruthy();
    await user.type(screen.getByRole("searchbox", { name: /Search by title/ }), "1.11");
    await waitFor(() => expect(titles(screen.getByRole("table"))).toContain("1.119.0"));
    await user.click(screen.getByRole("button", { name: "Untick these" }));
    expect(screen.getByText("109 of 120 ticked")).toBeTruthy();
    await user.type(screen.getByRole("searchbox"), "nothing");
    await screen.findByText("None of them");
    await user.clear(screen.getByRole("searchbox"));
    await user.click(await screen.findByRole("button", { name: "Untick all" }));
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Import" }).disabled).toBe(true);
    await user.click(screen.getByRole("button", { name: "Tick all" }));
    expect(start("Import 120 posts")).toBeTruthy();
  });

  test("only new ones, and those of a state", async () => {
    const opened = await open({ states: { "1.1.0": "there", "1.2.0": "here" } });
    const { user } = opened;
    await choose(opened, changelogOf(3));
    await table();
    await user.click(screen.getByRole("button", { name: "Only new ones" }));
    expect([tick("1.1.0").checked, tick("1.2.0").checked, tick("1.3.0").checked]).toEqual([false, false, true]);
    await user.selectOptions(screen.getByRole("combobox", { name: "State" }), "Changed here (1)");
    await waitFor(() => expect(titles(screen.getByRole("table"))).toEqual(["1.2.0"]));
    await user.click(screen.getByRole("button", { name: "Tick these" }));
    expect(screen.getByText("2 of 3 ticked")).toBeTruthy();
  });

  test("what is lost is said in words, and can be looked at with the keyboard", async () => {
    const opened = await open();
    await choose(
      opened,
      changelogOf(1, () => "### Added\n\n<video src='https://x.example/a.mp4'></video>\n\nText\n"),
    );
    const rows = await table();
    const summary = within(rows).getByText(/on the way$/);
    expect(summary.tagName).toBe("SUMMARY");
    expect(within(rows).getAllByRole("listitem").length).toBeGreaterThan(0);
  });

  describe("posts without a date", () => {
    const file = new File(["# rocket\n\n## 1.2.0\n\n- C\n\n## 1.1.0\n\n- B\n\n## 1.0.0\n\n- A"], "CHANGELOG.md");
    const chosen = async (way: string, more: Parameters<typeof open>[1] = {}) => {
      const opened = await open({}, more);
      await choose(opened, file);
      await table();
      const group = screen.getByRole("group", { name: "3 posts without a date" });
      await opened.user.click(within(group).getByRole("radio", { name: way }));
      return opened;
    };
    const dates = async (opened: Opened) => {
      await opened.user.click(start());
      await screen.findByRole("heading", { name: /^All of/ });
      return sent(opened).map(({ title, status, published_at }) => [title, status, published_at?.slice(0, 10)]);
    };

    test("come as drafts, or spread over a period", async () => {
      const opened = await chosen("A period");
      expect(screen.getByText("Posts without a date come as drafts.")).toBeTruthy();
      fireEvent.change(screen.getByLabelText("Newest post"), { target: { value: "2020-01-03" } });
      fireEvent.change(screen.getByLabelText("Oldest post"), { target: { value: "2020-02-01" } });
      expect(screen.getByText("Enter a date after the oldest post’s")).toBeTruthy();
      fireEvent.change(screen.getByLabelText("Oldest post"), { target: { value: "2020-01-01" } });
      expect(screen.getByText("Each of them has a date now.")).toBeTruthy();
      expect(await dates(opened)).toEqual([
        ["1.0.0", "published", "2020-01-01"],
        ["1.1.0", "published", "2020-01-02"],
        ["1.2.0", "published", "2020-01-03"],
      ]);
    });

    test("get one date, and are drafts again without", async () => {
      const opened = await chosen("One date");
      fireEvent.change(screen.getByLabelText("Date"), { target: { value: "2020-01-03" } });
      expect(screen.getByText("Each of them has a date now.")).toBeTruthy();
      await opened.user.click(screen.getByRole("radio", { name: "Keep as drafts" }));
      expect(await dates(opened)).toEqual(["1.2.0", "1.1.0", "1.0.0"].map((title) => [title, "draft", undefined]));
    });

    test("get the dates of GitHub's releases", async () => {
      const release = (tag: string, published_at: string) => ({ tag_name: tag, name: tag, body: "b", published_at });
      const releases = [release("rocket@1.2.0", "2020-03-01T09:00:00Z"), release("other@1.0.0", "2020-01-01T09:00:00Z")];
      const text = JSON.stringify([...releases, release("rocket@1.1.0", "2020-02-01T09:00:00Z")]);
      const page = { name: "releases.json", address: "https://github.com/acme/rocket", next: null, text };
      const opened = await chosen("From GitHub releases", { [`POST ${api}/source`]: page });
      await opened.user.type(screen.getByLabelText("Repository"), "acme/rocket{Enter}");
      await screen.findByText("2 of 3 have a date now. The others come as drafts.");
      expect(opened.api.to(`POST ${api}/source`).map(({ body }) => body)).toEqual([
        { source: "github", address: "acme/rocket", key: "", after: null },
      ]);
      expect(await dates(opened)).toEqual([
        ["1.1.0", "published", "2020-02-01"],
        ["1.2.0", "published", "2020-03-01"],
        ["1.0.0", "draft", undefined],
      ]);
    });
  });

  test("a former address whose host nobody knows is its path alone", async () => {
    const opened = await open();
    const post = { id: "1", title: "Kites", slug: "kites", status: "published", published_at: "2024-05-15T08:00:00Z", content_raw: [] };
    const whole = { format: "tidings-workspace-1", workspace: { subdomain: "kite" }, posts: [post] };
    const slugs = [{ slug: "shared-draft", post_id: "1" }];
    await choose(opened, new File([JSON.stringify({ ...whole, post_slugs: slugs })], "kite.json"));
    expect(within(await table()).getByText("was /releases/shared-draft").title).toBe("/releases/shared-draft");
  });

  test("compared with what is here, side by side", async () => {
    const opened = await open(
      { states: { "1.1.0": "both" } },
      { "GET /api/posts/*": { post: fullPost({ title: "What Ada made of it" }) } },
    );
    await choose(opened, changelogOf(1));
    await opened.user.click(await screen.findByRole("button", { name: "Compare “1.1.0”" }));
    const dialog = await screen.findByRole("dialog", { name: "Compare “1.1.0”" });
    const lines = await within(dialog).findByRole("list", { name: "What differs" });
    expect(lines.textContent).toContain("What Ada made of it");
    expect(lines.textContent).toContain("Thing 1");
  });

  test("files of several kinds are refused together, and what to do is said", async () => {
    const opened = await open();
    const feed = new File(['<rss version="2.0"><channel><title>A</title></channel></rss>'], "feed.xml");
    await choose(opened, [feed, changelogOf(2)]);
    const alert = (await screen.findByText("This could not be read")).closest<HTMLElement>("[role=alert]")!;
    expect(alert.textContent).toContain("feed.xml and CHANGELOG.md are of different kinds. Please choose those of one kind");
  });

  test("a file in which nothing is a post says why, and another can be chosen at once", async () => {
    const opened = await open();
    await choose(opened, new File(["{}"], "settings.json"));
    const alert = (await screen.findByText("This could not be read")).closest<HTMLElement>("[role=alert]")!;
    expect(alert.textContent).toContain("JSON of no product that is known here");
    await choose(opened, changelogOf(1));
    await table();
  });

  test("while the server cannot compare, it says so", async () => {
    const opened = await open();
    const compare = opened.server.stubs[`POST ${api}/compare`] as (asked: Asked) => unknown;
    opened.api.set({ [`POST ${api}/compare`]: () => Promise.reject(new TypeError("Failed to fetch")) });
    await choose(opened, changelogOf(2));
    await screen.findByText(/The server cannot be reached/);
    opened.api.set({ [`POST ${api}/compare`]: compare });
    fireEvent(window, new Event("online"));
    await table();
  });

  test("reading can be cancelled", async () => {
    const compare = pending<object>();
    const opened = await open({}, { [`POST ${api}/compare`]: () => compare.promise });
    await choose(opened, changelogOf(2));
    await screen.findByRole("heading", { name: "Comparing with what is here" });
    await opened.user.click(screen.getByRole("button", { name: "Cancel" }));
    await screen.findByLabelText(/Choose files/);
    compare.resolve({ entries: [] });
    await act(async () => {});
    expect(screen.queryByRole("table", { name: /posts? in/ })).toBeNull();
  });
});

describe("writing", () => {
  test("comes oldest first in pieces of 25, with the tags that were wished, and says what became of it", async () => {
    const opened = await open();
    const { user } = opened;
    opened.server.refuses.set("1.7.0", "A post can have at most 20 tags");
    await choose(
      opened,
      changelogOf(60, (version) => `### ${version % 2 ? "Added" : "Security"}\n\n- Thing ${version}\n`),
    );
    await table();
    await user.selectOptions(screen.getByLabelText(/^Added/), "Documentation");
    await user.click(start("Import 60 posts"));
    await screen.findByRole("heading", { name: "CHANGELOG.md is in, but for 1 post" });

    expect(opened.api.to("POST /api/workspaces/*/tags").map(({ body }) => body)).toEqual([{ label: "Security", colour: "blue" }]);
    expect(opened.api.to(`POST ${api}`)[0]!.body).toEqual({ source: "changelog", name: "CHANGELOG.md", total: 60 });
    expect(opened.api.to(`PUT ${api}/*/entries`).map(({ body }) => (body as { entries: unknown[] }).entries.length)).toEqual([25, 25, 10]);
    expect(sent(opened)[0]).toMatchObject({
      title: "1.1.0",
      tags: ["docs"],
      status: "published",
      published_at: "2020-01-01T00:00:00.000Z",
    });
    expect(sent(opened)[1]).toMatchObject({ title: "1.2.0", tags: ["security"] });
    expect(sent(opened).at(-1)).toMatchObject({ title: "1.60.0" });

    const failed = screen.getByRole("region", { name: "Posts that failed" });
    expect(failed.textContent).toContain("1.7.0A post can have at most 20 tags");
    await user.click(screen.getByRole("button", { name: "Copy the posts that failed" }));
    expect(await navigator.clipboard.readText()).toBe("1.7.0\tA post can have at most 20 tags");
    expect(screen.getByRole("link", { name: "Open posts" }).getAttribute("href")).toBe(`/workspace/${ids.acme}/changelog`);
    expect(await screen.findByRole("table", { name: "Imports so far" })).toBeTruthy();
  });

  test("says first what is left out", async () => {
    const opened = await open();
    opened.server.refuses.set("1.0.0", "A post can have at most 20 tags");
    const text = "Hello.\n\n## Unreleased\n\n- Wet\n\n## 1.1.0 - 2024-03-05\n\n## Ropes\n\n- Long\n\n## 1.0.0 - 2024-02-01\n\n- Old";
    await choose(opened, new File([text], "CHANGELOG.md"));
    await table();
    await opened.user.click(start());
    await screen.findByRole("heading", { name: "CHANGELOG.md is in, but for 1 post, its introduction, and 1 section" });
    expect(JSON.stringify(sent(opened).find(({ title }) => title === "1.1.0"))).toContain("Ropes");
  });

  test("as drafts, and in the place of what is here", async () => {
    const opened = await open({ states: { "1.1.0": "there" } });
    await choose(opened, changelogOf(2, ofAcme));
    await table();
    await opened.user.click(screen.getByRole("radio", { name: "As drafts" }));
    await opened.user.click(start());
    await screen.findByRole("heading", { name: /^All of/ });
    expect(sent(opened).map(({ title, status, replaces }) => [title, status, replaces])).toEqual([
      ["1.1.0", "published", 4],
      ["1.2.0", "draft", null],
    ]);
  });

  test("pictures come first, each once; of those that cannot be kept the words stay", async () => {
    const opened = await open();
    await choose(
      opened,
      changelogOf(2, (version) => `![Kept](https://img.example/kept.png)\n\n![Lost](https://img.example/gone-${version}.png)\n`),
    );
    await table();
    await opened.user.click(start());
    await screen.findByRole("heading", { name: /^All of/ });
    const calls = opened.api.requests.filter(({ path }) => path.startsWith(`${api}/`)).map(({ path }) => path.split("/").at(-1));
    expect(calls.slice(0, 5)).toEqual(["compare", "images", "images", "images", "entries"]);
    const text = JSON.stringify(sent(opened)[0]!.blocks);
    expect(text).toContain("/kept.png");
    expect(text).toContain('"width":40');
    expect(text).not.toContain('"url":"https://img.example');
    const lost = screen.getByRole("region", { name: "Pictures that could not be kept" });
    expect(lost.textContent).toContain("https://img.example/gone-1.pngThe other site answers 404.");
  });

  test("pictures that came along as files are uploaded; a type that nobody sees is not", async () => {
    const opened = await open(
      {},
      {
        "POST /api/workspaces/*/editor/image-upload": ({ file }: Asked) =>
          Response.json(
            { success: 1, file: { url: `/storage/v1/object/public/post-images/${ids.acme}/${file!.name}`, width: 4, height: 3 } },
            { status: 201 },
          ),
      },
    );
    const post = "---\ntitle: With pictures\ndate: 2020-01-05\n---\n\n![Kept](shot.png)\n\n![Drawn](plan.tiff)\n\n![Missing](gone.png)\n";
    await choose(opened, [
      new File([post], "post.md", { type: "text/markdown" }),
      new File([new Uint8Array([1, 2, 3])], "shot.png", { type: "image/png" }),
      new File([new Uint8Array([4])], "plan.tiff", { type: "image/tiff" }),
    ]);
    await table();
    await opened.user.click(start());
    await screen.findByRole("heading", { name: /is in, but for 1 file$/ });
    const uploads = opened.api.to("POST /api/workspaces/*/editor/image-upload");
    expect(uploads.map(({ file }) => [file!.name, file!.type, file!.size])).toEqual([["shot.png", "image/png", 3]]);
    expect(opened.api.to(`POST ${api}/*/images`)).toHaveLength(0);
    expect(JSON.stringify(sent(opened)[0]!.blocks)).toContain(`/post-images/${ids.acme}/shot.png`);
    const lost = screen.getByRole("region", { name: "Pictures that could not be kept" });
    expect(lost.textContent).toContain("gone.pngIt did not come along with the file.");
    expect(lost.textContent).not.toContain("came-along.invalid");
  });

  test("waits for a busy server as long as it asks for, and for one that cannot be reached until it can", async () => {
    const answers: (() => unknown)[] = [() => busyFor(2), () => Promise.reject(new TypeError("Failed to fetch"))];
    const opened = await open();
    const put = opened.server.stubs[`PUT ${api}/*/entries`] as (asked: Asked) => unknown;
    opened.api.set({ [`PUT ${api}/*/entries`]: (asked: Asked) => (answers.shift() ?? (() => put(asked)))() });
    await choose(opened, changelogOf(3));
    await table();
    const from = Date.now();
    await opened.user.click(start());
    await screen.findByText("The server is busy; this goes on in a moment.");
    await screen.findByText(/The server cannot be reached/);
    expect(Date.now() - from).toBeGreaterThanOrEqual(2_000);
    fireEvent(window, new Event("online"));
    await screen.findByRole("heading", { name: /^All of/ });
    expect(sent(opened)).toHaveLength(3);
  });

  test("one post that cannot be read does not hold up the others of its piece", async () => {
    const opened = await open();
    const put = opened.server.stubs[`PUT ${api}/*/entries`] as (asked: Asked) => unknown;
    opened.api.set({
      [`PUT ${api}/*/entries`]: (asked: Asked) => {
        const titles = (asked.body as { entries: { title: string }[] }).entries.map(({ title }) => title);
        return titles.includes("1.2.0") ? refusal("validation_failed", { "entries.1.title": "Title is required" }) : put(asked);
      },
    });
    await choose(opened, changelogOf(3));
    await table();
    await opened.user.click(start());
    await screen.findByRole("heading", { name: "CHANGELOG.md is in, but for 1 post" });
    expect(sent(opened).map(({ title }) => title)).toEqual(["1.1.0", "1.3.0"]);
    expect(screen.getByRole("region", { name: "Posts that failed" }).textContent).toContain("Title is required");
  });

  test("refused at its beginning, everything that was ticked and mapped is still there", async () => {
    const opened = await open({}, { [`POST ${api}`]: () => refusal("forbidden") });
    await choose(opened, changelogOf(3));
    await table();
    await opened.user.click(tick("1.2.0"));
    await opened.user.click(start());
    await screen.findByText("Nothing was imported");
    expect([tick("1.1.0").checked, tick("1.2.0").checked]).toEqual([true, false]);
  });

  test("taken back by somebody meanwhile, it says so and is not offered again", async () => {
    const opened = await open({}, { [`PUT ${api}/*/entries`]: () => refusal("import_over") });
    await choose(opened, changelogOf(3));
    await table();
    await opened.user.click(start());
    await screen.findByText(/This import was taken back/);
    await opened.user.click(screen.getByRole("button", { name: "Later" }));
    await screen.findByLabelText(/Choose files/);
    expect(screen.queryByText(/is not finished/)).toBeNull();
  });

  test("leaving in the middle asks", async () => {
    const first = pending<object>();
    const opened = await open({}, { [`PUT ${api}/*/entries`]: () => first.promise });
    await choose(opened, changelogOf(3));
    await table();
    await opened.user.click(start());
    await screen.findByRole("heading", { name: "Writing posts" });
    expect(screen.getByRole("progressbar", { name: "Writing posts" })).toBeTruthy();
    await opened.user.click(within(screen.getByRole("navigation", { name: "Workspace" })).getByRole("link", { name: /Subscribers/ }));
    const dialog = await screen.findByRole("dialog");
    expect(dialog.textContent).toContain("The import would stop here");
    expect(opened.address()).toBe(address);
    const leaving = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(leaving);
    expect(leaving.defaultPrevented).toBe(true);
  });
});

describe("stopped in the middle", () => {
  /** A server that takes one piece and then hangs. */
  async function stopAfterOne(opened: Opened, file = changelogOf(60)) {
    const put = opened.server.stubs[`PUT ${api}/*/entries`] as (asked: Asked) => unknown;
    let pieces = 0;
    opened.api.set({ [`PUT ${api}/*/entries`]: (asked: Asked) => (pieces++ === 0 ? put(asked) : new Promise(() => {})) });
    await choose(opened, file);
    await table();
    await opened.user.click(start());
    await screen.findByText("25 of 60 posts");
    return () => opened.api.set({ [`PUT ${api}/*/entries`]: put });
  }

  test("it says how far it is and goes on, none twice", async () => {
    const opened = await open();
    const mend = await stopAfterOne(opened);
    await opened.user.click(screen.getByRole("button", { name: "Stop" }));
    await screen.findByText(/^25 of 60 posts came in/);
    mend();
    await opened.user.click(screen.getByRole("button", { name: "Continue" }));
    await screen.findByRole("heading", { name: /^All of/ });
    const names = sent(opened).map(({ external_id }) => external_id);
    expect([names.length, new Set(names).size]).toEqual([60, 60]);
  });

  test("the next visit goes on without the file; somebody else at this browser sees nothing of it", async () => {
    const opened = await open();
    const mend = await stopAfterOne(opened);
    opened.unmount();
    mend();

    opened.api.set({
      "GET /api/profiles/me": { success: true, profile: { ...signedIn()["GET /api/profiles/me"].profile, user_id: ids.globex } },
    });
    const other = renderApp(address);
    await screen.findByLabelText(/Choose files/);
    await screen.findByRole("table", { name: "Imports so far" });
    expect(screen.queryByText(/is not finished/)).toBeNull();
    other.unmount();

    opened.api.set(signedIn());
    const { user } = renderApp(address);
    const notice = await screen.findByRole("region", { name: "Unfinished import of CHANGELOG.md" });
    expect(notice.textContent).toContain("60 posts");
    await user.click(within(notice).getByRole("button", { name: "Continue" }));
    await screen.findByRole("heading", { name: /^All of/ });
    const names = sent(opened).map(({ external_id }) => external_id);
    expect([names.length, new Set(names).size]).toEqual([60, 60]);
    expect(
      sent(opened)
        .slice(25, 27)
        .map(({ title }) => title),
    ).toEqual(["1.26.0", "1.27.0"]);
    await user.click(screen.getByRole("button", { name: "Import something else" }));
    await screen.findByLabelText(/Choose files/);
    expect(screen.queryByText(/is not finished/)).toBeNull();
  });

  test("what is left out is still counted when the next visit goes on", async () => {
    const opened = await open();
    const text = `## Unreleased\n\n- Wet\n\n${await changelogOf(60).text()}`;
    const mend = await stopAfterOne(opened, new File([text], "CHANGELOG.md"));
    opened.unmount();
    mend();
    const { user } = renderApp(address);
    await user.click(within(await screen.findByRole("region", { name: /^Unfinished/ })).getByRole("button", { name: "Continue" }));
    await screen.findByRole("heading", { name: "CHANGELOG.md is in, but for 1 section" });
  });

  test("what this device cannot read is said, and is there to be gone on with", async () => {
    const opened = await open();
    const mend = await stopAfterOne(opened);
    opened.unmount();
    mend();
    const { user } = renderApp(address);
    const go = async () =>
      user.click(within(await screen.findByRole("region", { name: /^Unfinished/ })).getByRole("button", { name: "Continue" }));
    await screen.findByRole("region", { name: /^Unfinished/ });
    const read = vi.spyOn(IDBObjectStore.prototype, "getAll").mockImplementation(() => {
      throw new DOMException("gone", "UnknownError");
    });
    const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await go();
    await screen.findByText(/This browser could not read what it has kept of CHANGELOG.md\./);
    read.mockRestore();
    warned.mockRestore();
    await go();
    await screen.findByRole("heading", { name: /^All of/ });
  });

  test("the rest can be let go of", async () => {
    const opened = await open();
    await stopAfterOne(opened);
    opened.unmount();
    const { user, unmount } = renderApp(address);
    const notice = await screen.findByRole("region", { name: /^Unfinished/ });
    await user.click(within(notice).getByRole("button", { name: "Forget the rest" }));
    expect(screen.queryByRole("region", { name: /^Unfinished/ })).toBeNull();
    unmount();
    renderApp(address);
    await screen.findByRole("table", { name: "Imports so far" });
    expect(screen.queryByRole("region", { name: /^Unfinished/ })).toBeNull();
  });

  test("a browser that keeps nothing imports all the same", async () => {
    vi.spyOn(indexedDB, "open").mockImplementation(() => {
      throw new DOMException("closed", "SecurityError");
    });
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const opened = await open();
    await choose(opened, changelogOf(3));
    await table();
    await opened.user.click(start());
    await screen.findByRole("heading", { name: /^All of/ });
    vi.restoreAllMocks();
  });
});

test("all of it works with the keyboard", async () => {
  const opened = await open();
  const { user } = opened;
  await choose(opened, changelogOf(2));
  await table();
  tick("1.2.0").focus();
  await user.keyboard(" ");
  expect(tick("1.2.0").checked).toBe(false);
  start("Import 1 post").focus();
  await user.keyboard("{Enter}");
  await screen.findByRole("heading", { name: /^All of/ });
  expect(sent(opened).map(({ title }) => title)).toEqual(["1.1.0"]);
  expect(importId).toBe(opened.api.to(`PUT ${api}/*/entries`)[0]!.path.split("/").at(-2));
});
