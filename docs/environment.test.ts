import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.join(import.meta.dirname, "..");
const read = (name: string): string => readFileSync(path.join(root, name), "utf8");
const documented = new Set(
  [...read("docs/environment.md").matchAll(/^\| `.*?\|/gm)].flatMap(([cell]) => cell.match(/\b[A-Z][A-Z_]+\b/g) ?? []),
);

test.each([".env.example", "deploy/.env.example"])("docs/environment.md has every variable of %s", (file) => {
  const variables = [...read(file).matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name]) => name!);
  expect(variables.length).toBeGreaterThan(20);
  expect(variables.filter((name) => !documented.has(name))).toEqual([]);
});

test("docs/environment.md has no variable that nothing reads", () => {
  const readers = ["supabase/local", "edge-functions/_shared", "contract", "scripts", "tests/support"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true })
      .map((name) => `${folder}/${String(name)}`)
      .filter((name) => /(?<!\.test)\.[jt]s$/.test(name)),
  );
  const sources = [...readers, "compose.yml", "deploy/Caddyfile", "supabase/config.toml"].map(read).join("\n");
  expect([...documented].filter((name) => !new RegExp(`\\b${name}\\b`).test(sources))).toEqual([]);
});

test("variables start with TIDINGS_, have the usual name of their field, or are read by Caddy itself", () => {
  const usual = /^(?:(?:CADDY|CHROMIUM|GITHUB|GOOGLE|SMTP|SUPABASE|TURNSTILE)_\w+|DOMAIN|HOST|HTTPS?_PORT|JWT_SECRET|PORT|SENTRY_DSN)$/;
  const caddyfile = read("deploy/Caddyfile");
  const others = [...documented].filter((name) => !name.startsWith("TIDINGS_") && !caddyfile.includes(`{$${name}`));
  expect(others.filter((name) => !usual.test(name))).toEqual([]);
});
