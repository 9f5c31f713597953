import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import type { EntryState, ImportedPost, WorkspaceImport } from "#contract/imports.ts";
import type { Role } from "#contract/kinds.ts";
import { defaultTags } from "#contract/tags.ts";
import { stubReader } from "../../../tests/support/web/fake-reader.ts";
import { acme, ids, signedIn } from "../../../tests/support/web/fixtures.ts";
import { anImport, changelogOf, importServer } from "../../../tests/support/web/import-server.ts";
import { renderApp } from "../../../tests/support/web/render-app.tsx";
import { type Asked, stubApi } from "../../../tests/support/web/stub-api.ts";

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

/** The page with a server that stores what it is sent. */
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
  user.upload(await screen.findByLabelText(/Choose files or drop/), file);
const table = () => screen.findByRole("table", { name: /posts? in/ });
const titles = (rows: HTMLElement) =>
  within(rows)
    .getAllByRole("rowheader")
    .map(({ textContent }) => /^1\.\d+\.0/.exec(textContent)?.[0]);
/** With URLs that identify their source. */
const ofAcme = (version: number): string =>
  `### Added\n\n- Thing ${version}\n\n[1.${version}.0]: https://github.com/acme/rocket/releases/tag/v1.${version}.0\n`;
const start = (words: RegExp | string = /^Import \d/) => screen.getByRole("button", { name: words });
const sent = ({ server }: Opened): Partial<ImportedPost>[] => server.written;

test("files that do not say where their site is are read again with its address, which keeps old addresses and pictures", async () => {
  const opened = await open();
  const post = { id: "1", uuid: "u1", title: "Hello", slug: "hello", status: "published", published_at: "2024-05-15T08:00:00.000Z" };
  const html = '<p>Hi</p><img src="__GHOST_URL__/content/images/a.png">';
  const data = { posts: [{ ...post, html }], tags: [], posts_tags: [], users: [], settings: [] };
  await choose(opened, new File([JSON.stringify({ db: [{ meta: { version: "5.0.0" }, data }] })], "site.json"));
  await table();
  const field = screen.getByLabelText("Site URL");
  const again = screen.getByRole("button", { name: "Read again" });
  await opened.user.type(field, "no site");
  await opened.user.click(again);
  await screen.findByText(/Please enter a valid URL/);
  await opened.user.clear(field);
  await opened.user.type(field, "blog.acme.example");
  await opened.user.click(again);
  await waitFor(() => expect(screen.queryByLabelText("Site URL")).toBeNull());
  await opened.user.click(await screen.findByRole("button", { name: /^Import \d/ }));
  await waitFor(() => expect(sent(opened)).toHaveLength(1));
  expect(sent(opened)[0]!.old_urls).toEqual(["https://blog.acme.example/hello/"]);
  expect(opened.api.to(`POST ${api}/*/images`).map(({ body }) => body)).toEqual([
    { url: "https://blog.acme.example/content/images/a.png" },
  ]);
});

test("links between files point to the workspace's page", async () => {
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

describe("import access", () => {
  test.each<Role>(["viewer", "editor"])("shows a %s who can import, without calls", async (role) => {
    const opened = await open({ role });
    expect(screen.getByText("Only owners and admins can import posts.")).toBeTruthy();
    expect(opened.api.to(`GET ${api}`)).toEqual([]);
  });
});

describe("imports so far", () => {
  test("say what, when, who and how much; what was taken back cannot be again", async () => {
    const past = [
      anImport({ id: ids.post, name: "acme/widgets", source: "github", made: 120, replaced: 3, failed: 1 }),
      anImport({ name: "Acme news", source: "feed", made: 4, undone_at: "2026-01-06T09:00:00.000Z", left: 2 }),
      anImport({ id: ids.globex, name: "blog.json", source: "ghost", made: 25, total: 80, finished_at: null }),
    ];
    await open({ past });
    const rows = within(await screen.findByRole("table", { name: "Import history" }))
      .getAllByRole("row")
      .slice(1);
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^acme\/widgetsGitHub releases.*Ada Lovelace120 new, 3 replaced, 1 failed/),
      expect.stringMatching(/^Acme newsFeed.*4 newUndone, 2 keptShow kept posts$/),
      expect.stringMatching(/^blog.jsonGhost.*25 new25 of 80, unfinished/),
    ]);
    expect(rows.map((row) => within(row).queryByRole("button", { name: /^Undo/ }) !== null)).toEqual([true, false, true]);
  });

  test("undoes after a confirmation, in as many calls as needed", async () => {
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
    expect(dialog.textContent).toContain("Posts edited since, and new tags, are kept");
    expect(opened.api.to(`DELETE ${api}/*`)).toHaveLength(0);
    await opened.user.click(within(dialog).getByRole("button", { name: "Undo import" }));
    await screen.findByText("Import undone");
    expect(screen.getByText("2 posts kept because they were edited since")).toBeTruthy();
    expect(opened.api.to(`DELETE ${api}/*`)).toHaveLength(3);
    expect(opened.api.to(`GET ${api}`)).toHaveLength(2);
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
    await user.click(screen.getByRole("button", { name: "Preview posts" }));
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

  test("asks for what a source needs and sends nothing else", async () => {
    const opened = await open();
    const { user } = opened;
    await user.type(await screen.findByLabelText(/^Access token/), "of another product");
    await user.selectOptions(screen.getByLabelText("Source"), "Headway page");
    expect(screen.queryByLabelText(/token|key/i)).toBeNull();
    await user.type(screen.getByLabelText("Page URL"), "https://headwayapp.co/acme");
    await user.click(screen.getByRole("button", { name: "Preview posts" }));
    await waitFor(() => expect(opened.api.to(`POST ${api}/source`)).toHaveLength(1));
    expect(opened.api.to(`POST ${api}/source`)[0]!.body).toMatchObject({
      source: "headway",
      address: "https://headwayapp.co/acme",
      key: "",
    });
    await user.selectOptions(screen.getByLabelText("Source"), "Beamer");
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
    expect(rows.textContent).toMatch(/Deleted here.*Changed in both.*Changed here.*Changed at source.*Unchanged/);
    expect(screen.getByText(/1 new, 1 unchanged, 1 changed at source, 1 changed here/)).toBeTruthy();
    expect(screen.getByText("2 of 6 selected")).toBeTruthy();
    expect(screen.queryByText(/Check that they match before you replace posts/)).toBeNull();
    expect(opened.api.to(`POST ${api}`)).toHaveLength(0);
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
    await user.click(screen.getByRole("button", { name: "Deselect filtered" }));
    expect(screen.getByText("109 of 120 selected")).toBeTruthy();
    await user.type(screen.getByRole("searchbox"), "nothing");
    await screen.findByText("No matching posts");
    await user.clear(screen.getByRole("searchbox"));
    await user.click(await screen.findByRole("button", { name: "Deselect all" }));
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Import" }).disabled).toBe(true);
    await user.click(screen.getByRole("button", { name: "Select all" }));
    expect(start("Import 120 posts")).toBeTruthy();
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
    await screen.findByRole("heading", { name: "Imported CHANGELOG.md, except for 1 post" });

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

    const failed = screen.getByRole("region", { name: "Failed posts" });
    expect(failed.textContent).toContain("1.7.0A post can have at most 20 tags");
    await user.click(screen.getByRole("button", { name: "Copy the failed posts" }));
    expect(await navigator.clipboard.readText()).toBe("1.7.0\tA post can have at most 20 tags");
    expect(screen.getByRole("link", { name: "Open posts" }).getAttribute("href")).toBe(`/workspace/${ids.acme}/changelog`);
    expect(await screen.findByRole("table", { name: "Import history" })).toBeTruthy();
  });

  test("pictures come first, each once; of those that cannot be kept the words stay", async () => {
    const opened = await open();
    await choose(
      opened,
      changelogOf(2, (version) => `![Kept](https://img.example/kept.png)\n\n![Lost](https://img.example/gone-${version}.png)\n`),
    );
    await table();
    await opened.user.click(start());
    await screen.findByRole("heading", { name: /^Imported / });
    const calls = opened.api.requests.filter(({ path }) => path.startsWith(`${api}/`)).map(({ path }) => path.split("/").at(-1));
    expect(calls.slice(0, 5)).toEqual(["compare", "images", "images", "images", "entries"]);
    const text = JSON.stringify(sent(opened)[0]!.blocks);
    expect(text).toContain("/kept.png");
    expect(text).toContain('"width":40');
    expect(text).not.toContain('"url":"https://img.example');
    const lost = screen.getByRole("region", { name: "Failed images" });
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
    await screen.findByRole("heading", { name: /except for 1 file$/ });
    const uploads = opened.api.to("POST /api/workspaces/*/editor/image-upload");
    expect(uploads.map(({ file }) => [file!.name, file!.type, file!.size])).toEqual([["shot.png", "image/png", 3]]);
    expect(opened.api.to(`POST ${api}/*/images`)).toHaveLength(0);
    expect(JSON.stringify(sent(opened)[0]!.blocks)).toContain(`/post-images/${ids.acme}/shot.png`);
    const lost = screen.getByRole("region", { name: "Failed images" });
    expect(lost.textContent).toContain("gone.pngThe file doesn't include it.");
    expect(lost.textContent).not.toContain("came-along.invalid");
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
    await screen.findByText(/^25 of 60 posts imported/);
    mend();
    await opened.user.click(screen.getByRole("button", { name: "Continue" }));
    await screen.findByRole("heading", { name: /^Imported / });
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
    await screen.findByRole("table", { name: "Import history" });
    expect(screen.queryByText(/isn't finished/)).toBeNull();
    other.unmount();

    opened.api.set(signedIn());
    const { user } = renderApp(address);
    const notice = await screen.findByRole("region", { name: "Unfinished import of CHANGELOG.md" });
    expect(notice.textContent).toContain("60 posts");
    await user.click(within(notice).getByRole("button", { name: "Continue" }));
    await screen.findByRole("heading", { name: /^Imported / });
    const names = sent(opened).map(({ external_id }) => external_id);
    expect([names.length, new Set(names).size]).toEqual([60, 60]);
    expect(
      sent(opened)
        .slice(25, 27)
        .map(({ title }) => title),
    ).toEqual(["1.26.0", "1.27.0"]);
    await user.click(screen.getByRole("button", { name: "Import something else" }));
    await screen.findByLabelText(/Choose files/);
    expect(screen.queryByText(/isn't finished/)).toBeNull();
  });
});
