import type { Page } from "playwright";
import { type Scene, type Stage } from "./stage.ts";

const block = (id: string, type: string, data: object) => ({ id, type, data });
const text = (id: string, words: string) => block(id, "paragraph", { text: words });
const textIn = (page: Page, id: string) => page.locator(`.ce-block[data-id="${id}"] [contenteditable=true]`);

async function writeAtEnd(page: Page, id: string, words: string): Promise<void> {
  await textIn(page, id).click();
  await page.keyboard.press("End");
  await page.keyboard.type(words);
}

async function choose(page: Page, entry: string): Promise<void> {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
}

const quickFind = [
  text("opening", "You no longer have to remember where something is. Press <b>Ctrl K</b>, type two letters, and it is there."),
  block("what", "header", { text: "What it finds", level: 2 }),
  block("found", "list", { style: "unordered", items: ["Projects and people", "Settings, by what they do", "What you had open last"] }),
  text("soon", "Everyone will have it by the end of the week."),
];

async function leave(...pages: Page[]): Promise<void> {
  for (const page of pages) await page.goto("/dashboard");
}

const editor: Scene = async (stage) => {
  const dana = await stage.dana();
  await stage.open(dana, await stage.seeded(/A widget that respects your page/));
  await dana.getByText("This changelog post is live").waitFor();
  await stage.draw(dana, "editor");
  await leave(dana);
  const onPhone = await stage.danasPhone();
  await stage.open(onPhone, await stage.seeded(/A widget that respects your page/));
  await onPhone.getByText("This changelog post is live").waitFor();
  await stage.draw(onPhone, "editor-phone");
  await leave(onPhone);
};

const publishing: Scene = async (stage) => {
  const dana = await stage.dana();
  const { id } = await stage.post(dana, { title: "Quick Find", tags: ["feature"], blocks: quickFind });
  await stage.open(dana, id);
  await dana.getByRole("button", { name: "Publish", exact: true }).click();
  await dana.getByRole("dialog", { name: "Publish this post?" }).waitFor();
  await stage.draw(dana, "publishing");
  await dana.keyboard.press("Escape");
  await dana.getByRole("button", { name: "Preview", exact: true }).click();
  const dialog = dana.getByRole("dialog", { name: "Preview" });
  await dialog.frameLocator("iframe").getByRole("heading", { name: "Quick Find" }).waitFor();
  await stage.draw(dana, "preview");
  await leave(dana);
  await stage.discard(dana, id);
};

async function together(stage: Stage, fields: object): Promise<{ dana: Page; ana: Page; id: string }> {
  const [dana, ana] = [await stage.dana(), await stage.colleague("Ana Lima")];
  const { id } = await stage.post(dana, { tags: ["feature"], blocks: quickFind, ...fields });
  for (const page of [dana, ana]) await stage.open(page, id);
  await dana.getByRole("list", { name: "Also here" }).getByRole("listitem").first().waitFor();
  return { dana, ana, id };
}

const presence: Scene = async (stage) => {
  const { dana, ana, id } = await together(stage, { title: "Quick Find" });
  await writeAtEnd(ana, "soon", " Really");
  await dana.locator('.ce-block[data-id="soon"][data-people*="writing"]').waitFor();
  let isOver = false;
  const typing = (async () => {
    for (const letter of "! To get it earlier, turn it on in the settings. ".repeat(8)) {
      if (isOver) break;
      await ana.keyboard.type(letter);
      await ana.waitForTimeout(400);
    }
  })();
  try {
    await writeAtEnd(dana, "soon", " Or earlier.");
    await dana.getByRole("group", { name: "Someone else is writing in this block" }).waitFor();
    await stage.draw(dana, "presence");
  } finally {
    isOver = true;
    await typing;
  }
  await leave(dana, ana);
  await stage.discard(dana, id);
};

const merging: Scene = async (stage) => {
  const { dana, ana, id } = await together(stage, { title: "Quick Find", status: "published", notify: false });
  const rewrite = async (page: Page, id: string, words: string) => {
    await textIn(page, id).click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(words);
  };
  await rewrite(dana, "opening", "Press Ctrl K anywhere and type two letters. The first line is what you're looking for.");
  await dana.getByRole("textbox", { name: "Title" }).click();
  await ana.locator('.ce-block[data-id="opening"][data-people]').waitFor({ state: "detached" }); // a dialog asks before writing in someone else's block
  await rewrite(ana, "opening", "Ctrl K now answers while you type, also in workspaces with 100,000 projects.");
  await rewrite(ana, "soon", "It's available to everyone from today.");
  await ana.keyboard.press("Control+s");
  await dana.locator(".ce-block[data-changed-too]").first().waitFor();
  await dana.keyboard.press("ControlOrMeta+s");
  await dana.getByRole("dialog", { name: "Post updated elsewhere" }).waitFor();
  await stage.draw(dana, "merging");
  await dana.getByRole("button", { name: "Discard & Refresh" }).click();
  await leave(dana, ana);
  await stage.discard(dana, id);
};

const history: Scene = async (stage) => {
  const [dana, ana] = [await stage.dana(), await stage.colleague("Ana Lima")];
  const { id, version } = await stage.post(dana, { title: "Quick Find", tags: ["feature"], blocks: quickFind });
  const blocks = [
    text("opening", "You no longer have to remember where something is. Press <b>Ctrl K</b>, type two letters, and it is the first line."),
    quickFind[1],
    block("found", "list", {
      style: "unordered",
      items: ["Projects, people and teams", "Settings, by what they do", "What you had open last"],
    }),
    text("phone", "On a phone, tap the icon beside your avatar."),
  ];
  await stage.ask(ana, "PUT", `/api/posts/${id}`, { version, content_raw: JSON.stringify({ blocks }) });
  await stage.open(dana, id);
  await choose(dana, "History");
  await dana.getByRole("list", { name: "Differences" }).waitFor();
  await stage.draw(dana, "history");
  await leave(dana);
  await stage.discard(dana, id);
};

const comments: Scene = async (stage) => {
  const { dana, ana, id } = await together(stage, { title: "Quick Find" });
  const say = async (page: Page, on: string, words: string) => {
    await textIn(page, on).click();
    await page.keyboard.press("Control+Alt+m");
    await page.getByRole("textbox", { name: "Comment on this block" }).fill(words);
    await page.keyboard.press("Control+Enter");
  };
  await say(ana, "opening", "Two letters, or three? The demo took three.");
  await dana.getByRole("button", { name: /1 comment on: / }).click();
  const thread = dana.getByRole("article", { name: /^Comments on You no longer/ });
  await thread.getByRole("textbox", { name: "Reply" }).fill("Two, since Monday.");
  await thread.getByRole("button", { name: "Reply" }).click();
  await say(ana, "soon", "Is that safe to promise?");
  await dana.getByRole("article", { name: /^Comments on Everyone will have it/ }).waitFor();
  await stage.draw(dana, "comments");
  await leave(dana, ana);
  const onPhone = await stage.danasPhone();
  const { threads } = await stage.ask<{ threads: { id: string }[] }>(dana, "GET", `/api/posts/${id}/threads`);
  await onPhone.goto(stage.path(`changelog/edit/${id}?thread=${threads[0]!.id}`));
  await onPhone.getByRole("dialog", { name: "Comments" }).waitFor();
  await stage.draw(onPhone, "comments-phone");
  await leave(onPhone);
  await stage.discard(dana, id);
};

const previewLink: Scene = async (stage) => {
  const dana = await stage.dana();
  const { id } = await stage.post(dana, { title: "Quick Find", tags: ["feature"], blocks: quickFind });
  await stage.open(dana, id);
  await choose(dana, "Share preview");
  const dialog = dana.getByRole("dialog", { name: "Share preview" });
  await dialog.getByRole("checkbox").check();
  await dialog.getByRole("button", { name: /Make|Create/ }).click();
  const link = dialog.getByRole("textbox", { name: "Preview link" });
  const address = await link.inputValue();
  await stage.draw(dana, "preview-link");
  const reader = await stage.page();
  await reader.goto(address);
  await reader.getByRole("link", { name: /^Comment on “What it finds”/ }).click();
  await reader.getByRole("textbox", { name: "Your name" }).fill("Rita from Acme");
  await reader.getByRole("textbox", { name: "Your comment" }).fill("Does it find archived projects, too?");
  await reader.getByRole("button", { name: "Send comment" }).click();
  await reader.getByRole("status").waitFor();
  await reader.setViewportSize({ width: 1280, height: 1100 });
  await reader.goto(address);
  await stage.draw(reader, "preview-page");
  await reader.context().close();
  await leave(dana);
  await stage.discard(dana, id);
};

const review: Scene = async (stage) => {
  const [dana, ana] = [await stage.dana(), await stage.colleague("Ana Lima")];
  await stage.ask(dana, "PUT", stage.api("review"), { rule: "editors" });
  const { id, version } = await stage.post(ana, { title: "Quick Find", tags: ["feature"], blocks: quickFind });
  await stage.ask(ana, "POST", `/api/posts/${id}/reviews`, { version, note: "Can we publish this before Monday's webinar?" });
  await stage.open(dana, id);
  await dana.getByRole("button", { name: "Approve", exact: true }).waitFor();
  await stage.draw(dana, "review");
  await leave(dana);
  await stage.ask(dana, "PUT", stage.api("review"), { rule: "off" });
  await stage.discard(dana, id);
};

const palette: Scene = async (stage) => {
  const dana = await stage.dana();
  await dana.goto(stage.path("dashboard"));
  await dana.getByRole("heading", { name: "Dashboard" }).waitFor();
  await dana.keyboard.press("ControlOrMeta+k");
  await dana.getByRole("dialog").getByRole("combobox").fill("pub");
  await dana.getByRole("dialog").getByRole("option").first().waitFor();
  await stage.draw(dana, "palette");
  await dana.keyboard.press("Escape");
};

export const writing = { editor, publishing, presence, merging, history, comments, previewLink, review, palette };
