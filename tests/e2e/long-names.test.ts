import { enter, found, invite } from "./support/people.ts";
import { expect, test } from "./support/test.ts";
import { newPost } from "./support/writing.ts";

test.use({ viewport: { width: 390, height: 844 } });

test("names without a space fit a phone's width", async ({ page, problems: _ }) => {
  test.setTimeout(180_000);
  await enter(page, {
    ...personOf("Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaftschaferswessenschafe"),
    company: "Co",
  });
  const workspaceId = await found(
    page,
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".padEnd(110, "X"),
  );
  const post = await newPost(page, workspaceId, { title: "W".repeat(110) });
  const link = new URL(await invite(page, workspaceId, { role: "viewer" }));

  const inside = ["dashboard", "changelog", `changelog/edit/${post.id}`, "widget", "team", "settings", "analytics"];
  const addresses = [...inside.map((part) => `/workspace/${workspaceId}/${part}`), "/workspaces", "/settings", "/onboarding"];
  const tooWide: Record<string, number> = {};
  for (const address of [...addresses, `/upgrade?workspace=${workspaceId}`, `${link.pathname}${link.search}`]) {
    await page.goto(address);
    await expect(page.locator("h1").first(), address).toBeAttached();
    await page.waitForLoadState("networkidle");
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > 390) tooWide[address] = width;
  }
  expect(tooWide).toEqual({});
});

const personOf = (fullName: string) => ({ fullName, email: `long.${crypto.randomUUID()}@example.com`, password: "correct horse battery" });
