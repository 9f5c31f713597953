import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { frontDoor } from "./front-door-file.ts";
import { type Host, routes } from "../supabase/local/gateway/routes.ts";

const file = readFileSync(path.join(import.meta.dirname, "../deploy/Caddyfile"), "utf8");
const example = readFileSync(path.join(import.meta.dirname, "../deploy/.env.example"), "utf8");

test('deploy/Caddyfile matches the routing table; if not, run "npm run front-door"', () => {
  expect(file).toBe(frontDoor());
});

test("deploy/.env.example describes every variable of the Caddyfile", () => {
  const named = new Set([...file.matchAll(/\{\$(\w+)/g)].map(([, name]) => name!));
  const described = new Set([...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name!));
  expect([...named].filter((name) => !described.has(name))).toEqual([]);
});

const siteOf = (name: string): string => file.slice(file.indexOf(`\n${name} {`), file.indexOf("\n}\n", file.indexOf(`\n${name} {`)));
const sites: [Host, string][] = [
  ["app", "{$DOMAIN}"],
  ["workspace", "(public_surfaces)"],
];
test.each(sites)("the %s's site has the table's paths in the table's order", (host, name) => {
  const paths = [...siteOf(name).matchAll(/^\t\t@r\d+ path (.*)$/gm)].map(([, list]) => list!.split(" ").at(-1));
  const wanted = routes.filter((route) => (route.host === host || route.host === "any") && route.path !== "*");
  expect(paths).toEqual(wanted.map((route) => route.path));
});

test.each(["*.{$DOMAIN}", "https://"])("%s has only the public routes of workspaces", (name) => {
  const lines = siteOf(name).split("\n").slice(2);
  expect(lines.map((line) => line.trim())).toEqual(["tls {", expect.stringMatching(/on_demand/), "}", "import public_surfaces"]);
});
