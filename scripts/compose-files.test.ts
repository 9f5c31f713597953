import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { version } from "#contract/version.ts";
import { authSettings } from "./auth-settings.ts";

const root = path.resolve(import.meta.dirname, "..");
const read = (name: string): string => readFileSync(path.join(root, name), "utf8");

interface Service {
  image?: string;
  environment: Record<string, string>;
}
const servicesOf = (name: string) => (parse(read(name), { merge: true }) as { services: Record<string, Service> }).services;
const compose = servicesOf("compose.yml");
const withSupabase = servicesOf("compose.supabase.yml");

const namesIn = (text: string): string[] => [
  ...new Set([...text.replaceAll("$$", "").matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name!)),
];

test(".env.example explains every variable of compose.yml", () => {
  const explained = new Set([...read(".env.example").matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name]) => name));
  expect(namesIn(read("compose.yml")).filter((name) => !explained.has(name))).toEqual([]);
});

test("both files and the Dockerfile name the image of this version", () => {
  expect([compose.tidings?.image, withSupabase.tidings?.image]).toEqual([
    `\${TIDINGS_IMAGE:-tidings:${version}}`,
    `\${TIDINGS_IMAGE:-tidings-supabase:${version}}`,
  ]);
  expect(read("Dockerfile")).toContain(`ARG VERSION=${version}\n`);
});

test("the image's build gets every folder that package.json imports", () => {
  const { imports } = JSON.parse(read("package.json")) as { imports: Record<string, string> };
  const given = read(".dockerignore").split("\n");
  expect(Object.values(imports).map((place) => `!${place.split("/")[1]}`)).toSatisfy((lines: string[]) =>
    lines.every((line) => given.includes(line)),
  );
});

test("both files have the same front door, except for the templates of Supabase's auth service", () => {
  const { CADDYFILE: more, ...rest } = withSupabase.caddy!.environment;
  const { CADDYFILE: caddyfile, ...same } = compose.caddy!.environment;
  expect(rest).toEqual(same);
  expect(more?.startsWith(caddyfile!)).toBe(true);
});

test("Supabase's auth service gets the settings and templates of config.toml", () => {
  const settings = Object.entries(authSettings(root, { TIDINGS_PUBLIC_URL: "https://tidings.example" }));
  const expected = settings.map(([name, value]) => {
    const kind = /^mailer_templates_(\w+)_content$/.exec(name)?.[1];
    if (kind) return [`GOTRUE_MAILER_TEMPLATES_${kind.toUpperCase()}`, `http://caddy:2021/mail-templates/${kind.replace("_", "-")}.html`];
    return [`GOTRUE_${name.toUpperCase()}`, name === "smtp_max_frequency" ? `${value}s` : String(value)];
  });
  const environment = Object.entries(withSupabase.auth!.environment).map(([name, value]) => [
    name,
    value.replace("${DOMAIN}", "tidings.example"),
  ]);
  expect(Object.fromEntries(environment)).toEqual(Object.fromEntries(expected));
});
