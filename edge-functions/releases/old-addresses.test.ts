import { expect, test } from "vitest";
import { isCrowded, OldAddresses } from "./old-addresses.ts";
import type { Sql } from "./queries/database.ts";

/** A database that knows `/old/a` and answers when it is told to. */
function database({ waits = false } = {}) {
  const asked: unknown[][] = [];
  const open: (() => void)[] = [];
  const sql = (async (_: TemplateStringsArray, ...values: unknown[]) => {
    asked.push(values);
    if (waits) await new Promise<void>((resolve) => open.push(resolve));
    return [{ slug: values[2] === "/old/a" ? "faster" : null }];
  }) as unknown as Sql;
  return { sql, asked, release: () => open.splice(0).forEach((go) => go()) };
}

test("what was found, and that there is nothing, is known for ten seconds", async () => {
  const { sql, asked } = database();
  const addresses = new OldAddresses(sql);
  const find = (path: string, now: number, subdomain = "acme") => addresses.find(subdomain, `${subdomain}.example`, path, now);
  expect([await find("/old/a", 0), await find("/old/a", 9_999), await find("/old/b", 0), await find("/old/b", 9_999)]).toEqual([
    ...["faster", "faster"],
    ...[null, null],
  ]);
  expect(asked).toEqual([
    ["acme", "acme.example", "/old/a"],
    ["acme", "acme.example", "/old/b"],
  ]);
  await find("/old/a", 10_000);
  await find("/old/a", 0, "globex");
  expect(asked.length).toBe(4);
});

test.each([
  "/.env",
  "/.well-known/security.txt",
  "/a/.git/config",
  "/wp-login.php",
  "/wp-admin/setup",
  "/app.JS",
  "/favicon-32.png",
  `/${"a".repeat(1_500)}`,
])("nobody is asked for %s", async (path) => {
  const { sql, asked } = database();
  expect(await new OldAddresses(sql).find("acme", "acme.example", path, 0)).toBeNull();
  expect(asked).toEqual([]);
});
test.each(["/changelog.php", "/2019/05/post.html", "/post", "/v1.2.0", "/wp", "/a%2E%2e"])("%s may have been a post", async (path) => {
  const { sql, asked } = database();
  await new OldAddresses(sql).find("acme", "acme.example", path, 0);
  expect(asked).toHaveLength(1);
});

test("equal questions share one; a flood of others waits in its own lane, and beyond a hundred is sent away", async () => {
  const { sql, asked, release } = database({ waits: true });
  const addresses = new OldAddresses(sql);
  const find = (subdomain: string, path: string) => addresses.find(subdomain, "x.example", path, 0);
  const first = [find("acme", "/old/a"), find("acme", "/old/a")];
  const flood = Array.from({ length: 150 }, (_, n) => find("acme", `/flood/${n}`).catch((error: unknown) => error));
  const other = find("globex", "/old/a");
  await expect.poll(() => asked.length).toBe(1);
  release();
  expect(await Promise.all(first)).toEqual(["faster", "faster"]);
  const going = setInterval(release, 1);
  expect(await other).toBe("faster");
  expect(asked.length).toBeLessThan(5); // globex had its turn behind one of acme's
  const answers = await Promise.all(flood);
  clearInterval(going);
  expect([answers.filter((one) => one === null).length, answers.filter(isCrowded).length]).toEqual([100, 50]);
});

test("of questions about however many workspaces five hundred wait", async () => {
  const { sql, asked, release } = database({ waits: true });
  const addresses = new OldAddresses(sql);
  const flood = Array.from({ length: 600 }, (_, n) =>
    addresses.find(`w${n % 60}`, "x.example", `/flood/${n}`, 0).catch((error: unknown) => error),
  );
  expect((await Promise.all(flood.slice(500))).every(isCrowded)).toBe(true);
  expect(asked).toHaveLength(1);
  const going = setInterval(release, 1);
  expect((await Promise.all(flood.slice(0, 500))).every((one) => one === null)).toBe(true);
  clearInterval(going);
});
