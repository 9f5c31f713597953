import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { frontDoor } from "./front-door-file.ts";
import { type Host, routes } from "../supabase/local/gateway/routes.ts";

const file = readFileSync(path.join(import.meta.dirname, "../deploy/Caddyfile"), "utf8");
const example = readFileSync(path.join(import.meta.dirname, "../deploy/.env.example"), "utf8");

test('deploy/Caddyfile is what the routing table gives; if not, run "npm run front-door"', () => {
  expect(file).toBe(frontDoor());
});

test("everything that it takes from the environment is described in deploy/.env.example", () => {
  const named = new Set([...file.matchAll(/\{\$(\w+)/g)].map(([, name]) => name!));
  const described = new Set([...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name!));
  expect([...named].filter((name) => !described.has(name))).toEqual([]);
});

test.each(["app", "workspace"] as Host[])("the %s's site has the table's paths in the table's order", (host) => {
  const site = file.slice(
    file.indexOf(host === "app" ? "\n{$DOMAIN} {" : "\n*.{$DOMAIN} {"),
    host === "app" ? file.indexOf("\n*.{$DOMAIN}") : undefined,
  );
  const paths = [...site.matchAll(/^\t\t@r\d+ path (.*)$/gm)].map(([, list]) => list!.split(" ").at(-1));
  const wanted = routes.filter((route) => (route.host === host || route.host === "any") && route.path !== "*");
  expect(paths).toEqual(wanted.map((route) => route.path));
});
