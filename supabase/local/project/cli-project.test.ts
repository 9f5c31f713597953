import { expect, test } from "vitest";
import { cliProject } from "./cli-project.ts";
import { readProject } from "./project-settings.ts";

test("npm run dev:supabase uses the addresses of config.toml and the CLI's keys", () => {
  expect(readProject(cliProject({}))).toMatchObject({
    url: "http://127.0.0.1:54321",
    databaseUrl: "postgresql://postgres:postgres@127.0.0.1:54322/postgres",
    keys: {
      publishableKey: expect.stringMatching(/^sb_publishable_/) as string,
      secretKey: expect.stringMatching(/^sb_secret_/) as string,
    },
  });
});

test("the environment can name another stack", () => {
  expect(readProject(cliProject({ SUPABASE_URL: "http://127.0.0.1:9000", JWT_SECRET: "mine" }))).toMatchObject({
    url: "http://127.0.0.1:9000",
    keys: { jwtSecret: "mine" },
  });
});

test.each(["", undefined, "embedded"])("TIDINGS_BACKEND=%s uses the embedded stack", (name) => {
  expect(readProject({ TIDINGS_BACKEND: name, SUPABASE_URL: "http://127.0.0.1:9000" })).toBeNull();
});

test("an invalid URL or connection string is rejected", () => {
  const projectWith = (env: Record<string, string>) => () => readProject({ ...cliProject({}), ...env });
  expect(projectWith({ SUPABASE_URL: "ftp://x" })).toThrow("SUPABASE_URL isn't an http(s) address.");
  expect(projectWith({ SUPABASE_DB_URL: "mysql://x" })).toThrow(/SUPABASE_DB_URL isn't a connection string/);
  expect(projectWith({ TIDINGS_BACKEND: "firebase" })).toThrow('TIDINGS_BACKEND must be embedded or supabase, not "firebase".');
});
