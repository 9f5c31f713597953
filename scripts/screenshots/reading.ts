import { writeFileSync } from "node:fs";
import { demoSubdomain } from "../../supabase/local/seed/demo.ts";
import { desk, type Scene } from "./stage.ts";

/** Cache: a page shows its own font only after an earlier page has loaded it. */
const page: Scene = async (stage) => {
  for (const [reader, name] of [
    [await stage.page(), "public-page"],
    [await stage.phone({ colorScheme: "dark" }), "public-page-phone"],
  ] as const) {
    await reader.goto(`${stage.site}/releases`);
    await reader.waitForTimeout(4_000);
    await reader
      .getByRole("link", { name: /A widget that respects your page/ })
      .first()
      .click();
    if (name === "public-page") await stage.draw(reader, "post");
    await reader.getByRole("link", { name: "All updates" }).first().click();
    await stage.draw(reader, name);
    await reader.context().close();
  }
};

/** Link preview: drawn within a minute of publishing. */
const linkPicture: Scene = async (stage) => {
  const slug = "a-widget-that-respects-your-page";
  const reader = await stage.page();
  const until = Date.now() + 120_000;
  for (;;) {
    const answer = (await reader.goto(`${stage.site}/releases/${slug}.png`))!;
    if (answer.ok()) {
      stage.keep("link-picture", await answer.body());
      return await reader.context().close();
    }
    if (Date.now() > until) throw new Error(`The social image wasn't drawn within two minutes: ${answer.status()}`);
    await reader.waitForTimeout(1_000);
  }
};

const languages: Scene = async (stage) => {
  const noor = await stage.stranger("noor@noor.example", "نور حداد");
  const subdomain = "noor";
  const { workspace } = await stage.ask<{ workspace: { id: string } }>(noor, "POST", "/api/workspaces/create", {
    ...{ name: "متجر نور", subdomain, origin: "https://noor.example", jobTitle: "Owner" },
  });
  const posts = [
    { title: "البحث أسرع", tags: ["improvement"], text: "تظهر النتائج أثناء الكتابة، حتى في المتاجر الكبيرة.", days: 9 },
    { title: "الوضع الداكن", tags: ["feature"], text: "أصبح المتجر مريحًا للعين بعد غروب الشمس، ويتبع إعدادات جهازك.", days: 1 },
  ];
  for (const { text, days, ...post } of posts) {
    const published_at = new Date(Date.now() - days * 86_400_000).toISOString();
    const blocks = [{ type: "paragraph", data: { text } }];
    await stage.ask(noor, "POST", "/api/posts", { workspace_id: workspace.id, status: "published", published_at, blocks, ...post });
  }
  await stage.ask(noor, "PUT", `/api/workspaces/${workspace.id}/appearance`, { locale: "ar", accent: "#8a2be2" });
  await stage.ask(noor, "POST", "/api/public/changelog/toggle", { workspaceId: workspace.id, isPublic: true });
  const reader = await stage.page({ viewport: { width: 1280, height: 720 } });
  await reader.goto(stage.stack.publicUrl.replace("//", `//${subdomain}.`) + "/releases");
  await reader.locator("html[dir=rtl]").waitFor();
  await stage.draw(reader, "languages");
  await reader.context().close();
  await noor.context().close();
};

const widget: Scene = async (stage) => {
  const dana = await stage.dana();
  const own = `/api/widget-settings/${stage.workspaceId}`;
  const { settings } = await stage.ask<{ settings: { customisation: object } }>(dana, "GET", own);
  const customisation = { ...settings.customisation, fontFamily: "inter" }; // system fonts differ between machines
  await stage.ask(dana, "POST", own, { settings: { ...settings, customisation } });
  const reader = await stage.page({ viewport: { width: 1280, height: 680 } });
  await reader.goto(`/dev/widget-host?workspace=${demoSubdomain}`);
  await reader.getByRole("button", { name: "What's New" }).click();
  await stage.draw(reader, "widget");
  await reader.setViewportSize({ width: 1200, height: 675 });
  await reader.waitForTimeout(500);
  const session = await reader.context().newCDPSession(reader);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 85 });
  writeFileSync("supabase/local/seed/images/widget.webp", Buffer.from(data, "base64"));
  await reader.context().close();
};

const appearance: Scene = async (stage) => {
  const dana = await stage.dana();
  await dana.goto(stage.path("appearance"));
  await dana.getByLabel("Accent colour", { exact: true }).fill("#7a3ff2");
  await dana.getByRole("list", { name: "Colour contrast" }).waitFor();
  await dana.frameLocator("iframe[title='Preview of your page']").getByRole("heading", { level: 1 }).waitFor();
  await dana.getByRole("heading", { name: "Appearance", level: 1 }).click();
  await stage.draw(dana, "appearance");
  await dana.getByRole("link", { name: "Dashboard" }).first().click();
  await dana.getByRole("button", { name: /Discard|Leave/ }).click();
  await dana.setViewportSize(desk);
};

export const reading = { page, linkPicture, languages, widget, appearance };
