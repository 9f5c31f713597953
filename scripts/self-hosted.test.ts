import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../tests/support/stack.ts";

/** The Docker setup itself isn't run; its runtime is Deno. */
const root = path.resolve(import.meta.dirname, "..");
const folder = mkdtempSync(path.join(tmpdir(), "tidings-docker-"));
const env = {
  TIDINGS_PUBLIC_URL: "https://tidings.example",
  TIDINGS_TRUSTED_PROXIES: "2",
  TIDINGS_MAIL_API_URL: "https://mail.example",
  TIDINGS_MAIL_API_KEY: "pa$$word",
  TIDINGS_MAIL_FROM: "Tidings <hello@tidings.example>",
  GOOGLE_CLIENT_ID: "id",
  GOOGLE_SECRET: "s",
};

const write = (settings: Record<string, string>, ...args: string[]) =>
  spawnSync(process.execPath, ["scripts/self-hosted.ts", ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, ...settings },
    encoding: "utf8",
  });

beforeAll(() => {
  expect(write(env, folder)).toMatchObject({ status: 0, stderr: "" });
});
afterAll(() => rmSync(folder, { recursive: true }));

type Environment = Record<string, string>;
const override = () =>
  JSON.parse(readFileSync(path.join(folder, "docker-compose.tidings.yml"), "utf8")) as {
    services: Record<"auth" | "functions", { environment: Environment }>;
  };

test("the auth service gets the settings of config.toml by its own names", () => {
  expect(override().services.auth.environment).toMatchObject({
    GOTRUE_SITE_URL: "https://tidings.example",
    GOTRUE_MAILER_OTP_LENGTH: "10",
    GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED: "false",
    GOTRUE_SMTP_MAX_FREQUENCY: "1s",
    GOTRUE_RATE_LIMIT_TOKEN_REFRESH: "1800",
    GOTRUE_SECURITY_SB_FORWARDED_FOR_ENABLED: "true",
    GOTRUE_MAILER_SUBJECTS_EMAIL_CHANGE: "Confirm your new email address for Tidings",
    GOTRUE_MAILER_TEMPLATES_EMAIL_CHANGE: "http://functions:9000/mail-templates/email_change",
    GOTRUE_EXTERNAL_GOOGLE_REDIRECT_URI: "https://tidings.example/auth/v1/callback",
  });
});

test("the functions get our variables unchanged, in a file that only its owner can read", () => {
  expect(override().services.functions.environment).toEqual({
    NODE_ENV: "production",
    TIDINGS_PUBLIC_URL: "https://tidings.example",
    TIDINGS_TRUSTED_PROXIES: "2",
    TIDINGS_MAIL_API_URL: "https://mail.example",
    TIDINGS_MAIL_API_KEY: "pa$$$$word",
    TIDINGS_MAIL_FROM: "Tidings <hello@tidings.example>",
  });
  expect(statSync(path.join(folder, "docker-compose.tidings.yml")).mode & 0o777).toBe(0o600);
});

test.each([
  [[], env, "Please give the folder with docker-compose.yml"],
  [[folder], { ...env, TIDINGS_PUBLIC_URL: "" }, "TIDINGS_PUBLIC_URL is missing"],
])("a missing file or variable throws one sentence: %#", (args, settings, sentence) => {
  const { status, stderr } = write(settings, ...args);
  expect([status, stderr]).toEqual([1, expect.stringContaining(sentence)]);
});

describe("a runtime that is given such a folder", { timeout: 180_000 }, () => {
  /** As in the setup: no import map on the command line, and HS256 signatures. */
  async function serve(name: string, ask: (url: string) => Promise<void>): Promise<void> {
    const port = await freePort();
    if (!existsSync(path.join(folder, "node_modules"))) {
      const { dependencies } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { dependencies: object };
      writeFileSync(path.join(folder, "package.json"), JSON.stringify({ dependencies }));
      symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
    }
    const args = ["run", "--allow-all", "--cached-only", "--no-lock", "--node-modules-dir=manual", `volumes/functions/${name}/index.ts`];
    const child = spawn(path.join(root, "node_modules/.bin/deno"), args, {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        DENO_DIR: process.env.DENO_DIR,
        DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}`,
        JWT_SECRET: "super-secret-jwt-token-with-at-least-32-characters-long",
        SUPABASE_URL: "http://127.0.0.1:9",
        SUPABASE_ANON_KEY: "anon",
        SUPABASE_SERVICE_ROLE_KEY: "service",
        SUPABASE_DB_URL: "postgresql://postgres@127.0.0.1:9/postgres",
        ...override().services.functions.environment,
      },
    });
    let errors = "";
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    try {
      const url = `http://127.0.0.1:${port}`;
      for (const end = Date.now() + 100_000; ; await wait(50)) {
        const isUp = await fetch(url).then(
          () => true,
          () => false,
        );
        if (isUp) break;
        if (child.exitCode !== null || Date.now() > end) throw new Error(`it didn't start: ${errors}`);
      }
      await ask(url);
    } finally {
      child.kill();
    }
  }

  test("serves /api", async () => {
    await serve("api", async (url) => {
      expect(await (await fetch(`${url}/api/config`)).json()).toMatchObject({ supabaseKey: "anon", host: "tidings.example" });
    });
  });

  test("serves the public pages", async () => {
    await serve("releases", async (url) => {
      expect(await (await fetch(`${url}/releases`)).text()).toContain("<!doctype html>");
    });
  });

  test("answers the presence socket's address", async () => {
    await serve("presence", async (url) => expect((await fetch(`${url}/presence/x/y`)).status).toBe(404));
  });

  test("hands the auth service its templates", async () => {
    await serve("mail-templates", async (url) => {
      const page = await (await fetch(`${url}/mail-templates/email_change`)).text();
      expect(page).toBe(readFileSync(path.join(root, "supabase/templates/email-change.html"), "utf8"));
      expect((await fetch(`${url}/mail-templates/other`)).status).toBe(404);
    });
  });
});
