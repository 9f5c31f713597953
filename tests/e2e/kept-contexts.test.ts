import { otherSite } from "./support/other-site.ts";
import { expect, type Page, test } from "./support/test.ts";

/** Leaves something in whatever a page can store. */
const fill = (page: Page) =>
  page.evaluate(async () => {
    document.cookie = "left=1";
    localStorage.setItem("left", "1");
    sessionStorage.setItem("left", "1");
    await (await caches.open("left")).put("/left", new Response("1"));
    await new Promise((resolve, reject) => Object.assign(indexedDB.open("left"), { onsuccess: resolve, onerror: reject }));
  });

const found = (page: Page) =>
  page.evaluate(async () => ({
    cookies: document.cookie,
    stored: [localStorage.length, sessionStorage.length],
    caches: await caches.keys(),
    databases: (await indexedDB.databases()).map(({ name }) => name),
  }));

test("a context that an earlier test had is as empty as a new one; one that was changed is not given again", async ({
  keptContexts,
  stack,
}) => {
  const site = await otherSite();
  const pages = [`${stack.publicUrl}/robots.txt`, site.page("/", "")];
  const emptiness = async () => {
    const context = await keptContexts.take({});
    const page = await context.newPage();
    const all = [];
    for (const address of pages) {
      await page.goto(address);
      all.push(await found(page));
      await fill(page);
    }
    const other = await context.newPage(); // takes nothing away
    await other.goto(pages[0]!);
    expect(await other.evaluate(() => localStorage.getItem("left"))).toBe("1");
    await context.close();
    expect(context.pages()).toEqual([]);
    return { context, all };
  };

  const first = await emptiness();
  const second = await emptiness();
  expect(second.context).toBe(first.context);
  expect(second.all).toEqual(first.all);
  expect(first.all).toEqual(pages.map(() => ({ cookies: "", stored: [0, 0], caches: [], databases: [] })));

  const changed = await keptContexts.take({});
  expect(changed).toBe(first.context);
  await changed.setOffline(true);
  await changed.close();
  expect(await keptContexts.take({})).not.toBe(changed);
  await site.close();
});
