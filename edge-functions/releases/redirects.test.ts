import { expect, test } from "vitest";
import { OldAddresses } from "./redirects.ts";
import type { Sql } from "./queries/database.ts";

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

test("results are cached for ten seconds, negative ones too", async () => {
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
])("no query for %s", async (path) => {
  const { sql, asked } = database();
  expect(await new OldAddresses(sql).find("acme", "acme.example", path, 0)).toBeNull();
  expect(asked).toEqual([]);
});
test.each(["/changelog.php", "/2019/05/post.html", "/post", "/v1.2.0", "/wp", "/a%2E%2e"])("%s can be an old post", async (path) => {
  const { sql, asked } = database();
  await new OldAddresses(sql).find("acme", "acme.example", path, 0);
  expect(asked).toHaveLength(1);
});

test("concurrent lookups share a query", async () => {
  const { sql, asked, release } = database({ waits: true });
  const addresses = new OldAddresses(sql);
  const same = [addresses.find("acme", "x.example", "/old/a", 0), addresses.find("acme", "x.example", "/old/a", 0)];
  await expect.poll(() => asked.length).toBe(1);
  release();
  expect(await Promise.all(same)).toEqual(["faster", "faster"]);
  expect(asked).toHaveLength(1);
});
