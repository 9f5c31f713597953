import type { BrowserContext } from "playwright/test";
import { tagMaxLength, titleMaxLength } from "#contract/limits.ts";
import { xssPayloads } from "../support/xss-payloads.ts";
import { item, posts } from "./support/hostile-posts.ts";
import { enter, found } from "./support/people.ts";
import { expect, type Page, test } from "./support/test.ts";
import { setTrap } from "./support/trap.ts";
import { bodyOf, editorPath, newPost, openPost, paragraph, titleOf, type WrittenPost } from "./support/writing.ts";

/** Every payload in every field of a post, on every screen that shows it. CSP is off, so that sanitizing alone is tested. */
test.use({ bypassCSP: true });
// The timeout allows for posts of a thousand blocks. The last file runs in parallel, so that all workers end together.
test.describe.configure({ timeout: 240_000, mode: "parallel" });

const end = paragraph("The end of it.");
const content = (blocks: readonly object[]) => JSON.stringify({ time: 1, blocks, version: "2.28.2" });

async function desk(page: Page) {
  await enter(page, "Mallory Trap");
  const workspaceId = await found(page, "Trapped");
  const post = await newPost(page, workspaceId);
  return { workspaceId, post };
}

const addressOf = (post: WrittenPost): RegExp => new RegExp(`/api/posts/${post.id}(?:\\?|$)`);

async function answerPost(context: BrowserContext, post: WrittenPost, fields: object): Promise<void> {
  await context.unroute(addressOf(post));
  await context.route(addressOf(post), (route) =>
    route.request().method() === "GET" ? route.fulfill({ json: { post: { ...post, ...fields } } }) : route.continue(),
  );
}

test("no payload runs in the editor, writable and read-only", async ({ page, context }) => {
  const { workspaceId, post } = await desk(page);
  const trap = await setTrap(context);
  for (const [kind, blocks] of Object.entries(posts)) {
    for (const status of ["draft", "archived"]) {
      await answerPost(context, post, { status, content_raw: content([...blocks, end]) });
      await page.goto(editorPath(workspaceId, post.id));
      await expect(page.getByText("The end of it.")).toBeVisible({ timeout: 60_000 });
      await trap.expectUntouched(page, `${kind}, ${status}`);
    }
  }
});

test("no payload runs as title or tag, in the list, the search and the editor", async ({ page, context }) => {
  const { workspaceId, post } = await desk(page);
  const trap = await setTrap(context);
  const listed = xssPayloads.map((payload, index) => ({
    ...post,
    id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    title: payload.slice(0, titleMaxLength),
    excerpt: payload,
    tags: [payload.slice(0, tagMaxLength), payload.slice(-tagMaxLength), payload],
    created_by_name: payload,
  }));
  await context.route("**/api/workspaces/*/posts?*", (route) =>
    route.fulfill({ json: { posts: listed, pagination: { page: 1, pages: 1, total: listed.length } } }),
  );
  await context.route("**/api/workspaces/*/posts/search?*", (route) => route.fulfill({ json: { posts: listed } }));
  await context.route("**/api/workspaces/*/tags", (route) =>
    route.fulfill({
      json: {
        tags: xssPayloads.map((payload) => ({ key: payload, label: payload, colour: "blue" })),
        carried: xssPayloads.map((key) => ({ key, posts: 1 })),
        former: Object.fromEntries(xssPayloads.map((payload) => [`was ${payload}`, payload])),
      },
    }),
  );
  await answerPost(context, post, { title: xssPayloads.join(" ").slice(0, 4_000), tags: xssPayloads });
  await openPost(page, workspaceId, post.id);
  await expect(page.getByRole("list", { name: "Posts" }).getByRole("listitem").first()).toBeVisible();
  const list = page.getByRole("list", { name: "Posts" }).locator("..");
  for (let down = 0; down < 8; down++) {
    await list.evaluate((element) => element.scrollBy({ top: 1_800, behavior: "instant" }));
    await trap.expectUntouched(page, `the list, screen ${down}`);
  }
  await page.getByRole("button", { name: "Edit tags" }).click();
  await trap.expectUntouched(page, "the tags");
  await page.getByRole("dialog", { name: "Tags" }).getByRole("button", { name: "Manage tags" }).click();
  await expect(
    page
      .getByRole("dialog", { name: "Manage tags" })
      .getByRole("listitem")
      .nth(xssPayloads.length - 1),
  ).toBeAttached();
  await trap.expectUntouched(page, "the tags' dialog");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Search posts" }).click();
  await page.getByRole("dialog").getByRole("combobox").fill("anything");
  await expect(page.getByRole("option").nth(xssPayloads.length - 1)).toBeAttached();
  await trap.expectUntouched(page, "the search palette");
  await page.keyboard.press("Escape");
  for (const payload of xssPayloads.slice(0, 20)) await titleOf(page).fill(payload);
  await trap.expectUntouched(page, "the title");
});

test("no payload runs in history and conflict", async ({ page, context }) => {
  const { workspaceId, post } = await desk(page);
  const trap = await setTrap(context);
  const [one, two, three] = Object.values(posts).map(content);
  const hostile = xssPayloads.join(" ");
  const revision = {
    ...{ version: 1, title: hostile, summary: hostile, status: "draft", tags: xssPayloads, author_id: null, author_name: hostile },
    ...{ post_author_name: hostile, published_at: null },
    created_at: new Date().toISOString(),
  };
  await answerPost(context, post, { version: 3 });
  await context.route("**/api/posts/*/revisions", (route) =>
    route.fulfill({ json: { revisions: [{ ...revision, version: 2 }, revision] } }),
  );
  await context.route("**/api/posts/*/revisions/*", (route) => {
    const content_raw = route.request().url().endsWith("1") ? one : two;
    const details = { version: hostile, component: hostile, button: { text: hostile, url: hostile }, breaking: true, security: true };
    const shown = { surface: "spotlight", selector: hostile, push: false, from: null, until: null, again: "never" };
    const audience = { attribute: hostile.slice(0, 60), eq: hostile.slice(0, 200) };
    const whole = {
      ...revision,
      cover_image: null,
      details: { ...details, pinned_until: null, expires_at: null, placement: shown, audience },
    };
    return route.fulfill({ json: { revision: { ...whole, content_raw, content_md: hostile } } });
  });
  await openPost(page, workspaceId, post.id);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "History" }).click();
  const compared = page.getByRole("list", { name: "Differences" });
  for (const version of [0, 1]) {
    await page.getByRole("list", { name: "Versions" }).getByRole("button").nth(version).click();
    await expect(compared.getByRole("listitem").nth(100)).toBeAttached();
    await trap.expectUntouched(page, "history");
  }
  await page.keyboard.press("Escape");

  await context.route(addressOf(post), (route) =>
    route.request().method() === "PUT"
      ? route.fulfill({
          status: 409,
          json: {
            error: "Post updated elsewhere",
            code: "version_conflict",
            conflict: { version: 9, updated_at: new Date().toISOString(), updated_by_name: hostile },
          },
        })
      : route.fulfill({ json: { post: { ...post, title: hostile, content_raw: three } } }),
  );
  await titleOf(page).fill("Mine");
  await page.keyboard.press("Control+s");
  await expect(page.getByRole("dialog", { name: "Post updated elsewhere" })).toContainText("alert(1)");
  await trap.expectUntouched(page, "conflict");
});

test("no payload runs in the readers' preview", async ({ page, context, stack }) => {
  const { workspaceId } = await desk(page);
  const origin = stack.publicUrl;
  await page.request.post("/api/public/changelog/toggle", { headers: { origin }, data: { isPublic: true, workspaceId } });
  const { workspaces } = (await (await page.request.get("/api/workspaces")).json()) as { workspaces: { subdomain: string }[] };
  const trap = await setTrap(context);
  for (const [kind, blocks] of Object.entries(posts)) {
    const title = `${kind} ${xssPayloads.join("")}`.slice(0, titleMaxLength);
    const { slug } = await newPost(page, workspaceId, {
      title,
      tags: ["<b onclick=alert(1)>"],
      blocks: [...blocks, end],
      status: "published",
    });
    await page.goto(`/releases/${slug}?workspace=${workspaces[0]!.subdomain}`);
    await expect(page.getByText("The end of it.")).toBeVisible();
    await trap.expectUntouched(page, `preview of ${kind}`);
  }
});

const paste = (page: Page, selector: string, texts: readonly Record<string, string>[]) =>
  page.evaluate(
    async ([selector, texts]) => {
      for (const parts of texts) {
        const clipboard = new DataTransfer();
        for (const [type, text] of Object.entries(parts)) clipboard.setData(type, text);
        const target = document.querySelector<HTMLElement>(selector) ?? document.body;
        target.focus();
        target.dispatchEvent(new ClipboardEvent("paste", { clipboardData: clipboard, bubbles: true, cancelable: true }));
        await new Promise((resolve) => setTimeout(resolve));
      }
    },
    [selector, texts] as const,
  );

test("no payload runs when it is pasted", async ({ page, context }) => {
  const { workspaceId, post } = await desk(page);
  const trap = await setTrap(context);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const places = [
    [".ce-paragraph", paragraph("Here")],
    [".ce-header", { type: "header", data: { text: "Here", level: 2 } }],
    [".cdx-list__item-content", { type: "list", data: { style: "unordered", meta: {}, items: [item("Here")] } }],
    [".tc-cell", { type: "table", data: { withHeadings: false, content: [["Here"]] } }],
    [".cdx-quote__text", { type: "quote", data: { text: "Here", caption: "Here", alignment: "left" } }],
    [".cdx-list-checklist .cdx-list__item-content", { type: "checklist", data: { items: [{ text: "Here", checked: false }] } }],
  ] as const;
  const openWith = async (block: object) => {
    await answerPost(context, post, { content_raw: content([block]) });
    await openPost(page, workspaceId, post.id);
  };
  for (const [selector, block] of places) {
    await openWith(block);
    const pages = selector === ".ce-paragraph" ? xssPayloads : [xssPayloads.join("</p><p>"), xssPayloads.toReversed().join("</p><p>")];
    await paste(
      page,
      selector,
      pages.map((html) => ({ "text/html": `<p>before ${html} after</p>`, "text/plain": html })),
    );
    expect(await page.locator(".codex-editor").innerText()).toContain("before");
    await trap.expectUntouched(page, `HTML pasted into ${selector}`);
  }
  await openWith(paragraph("Here"));
  await paste(
    page,
    ".ce-paragraph",
    xssPayloads.map((payload) => ({ "text/html": `<p style='mso-list:l0 level1 lfo1'>${payload}</p>` })),
  );
  await trap.expectUntouched(page, "Word");
  await openWith(paragraph("Here"));
  await paste(page, ".ce-paragraph", [
    { "text/plain": xssPayloads.flatMap((payload) => [`# ${payload}`, `- ${payload}`, `> ${payload}`]).join("\n\n") },
  ]);
  await trap.expectUntouched(page, "Markdown");
  await openWith(paragraph("Here"));
  await page.evaluate((text) => navigator.clipboard.writeText(text), xssPayloads.join("\n\n"));
  await bodyOf(page).focus();
  await page.keyboard.press("ControlOrMeta+V");
  await titleOf(page).focus();
  await page.keyboard.press("ControlOrMeta+V");
  await trap.expectUntouched(page, "the clipboard's own text");
});
