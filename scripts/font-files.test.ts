import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { fontFiles } from "#contract/font-files.ts";
import { hashedName } from "../supabase/local/gateway/caching.ts";
import { routeOf } from "../supabase/local/gateway/routes.ts";
import { fontModule } from "./font-files.ts";

test("contract/font-files.ts matches the packages", async () => {
  const written = readFileSync(path.join(import.meta.dirname, "../contract/font-files.ts"), "utf8");
  expect(await fontModule()).toBe(written);
});

test.each(Object.values(fontFiles).flat())("every host serves $url, cached for ever", ({ url }) => {
  expect(hashedName.test(url)).toBe(true);
  expect(["app", "workspace"].map((host) => routeOf(host as "app" | "workspace", url).target)).toEqual([
    { kind: "static", folder: "widget" },
    { kind: "static", folder: "widget" },
  ]);
});
