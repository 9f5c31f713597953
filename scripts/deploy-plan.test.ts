import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deployable, planDeployment } from "./deploy-plan.ts";

const root = path.resolve(import.meta.dirname, "..");
const folder = mkdtempSync(path.join(tmpdir(), "tidings-plan-"));
afterAll(() => rmSync(folder, { recursive: true }));

const env = {
  SUPABASE_PROJECT_REF: "abcdefghijklmnopqrst",
  SUPABASE_ACCESS_TOKEN: "sbp_x",
  SUPABASE_DB_PASSWORD: "x",
  TIDINGS_PUBLIC_URL: "https://tidings.example",
  TIDINGS_TRUSTED_PROXIES: "2",
};

test("the plan for this repository has no problems", () => {
  const plan = planDeployment(root, env);
  expect(plan.problems).toEqual([]);
  expect(plan.functions.map(({ name }) => name).toSorted()).toEqual(["api", "og", "presence", "releases"]);
  expect(plan.functions.every(({ files, bytes }) => files > 5 && bytes > 10_000)).toBe(true);
  expect(plan.secrets).toEqual(["TIDINGS_PUBLIC_URL", "TIDINGS_TRUSTED_PROXIES"]);
  expect(plan.unset).toContain("TURNSTILE_SITE_KEY");
});

test("each missing value gives one sentence", () => {
  expect(planDeployment(root, { TIDINGS_OAUTH_PROVIDERS: "myspace", TIDINGS_MAIL_API_URL: "https://mail.example" }).problems).toEqual([
    "SUPABASE_PROJECT_REF is missing: the part of the project's address before .supabase.co.",
    "SUPABASE_ACCESS_TOKEN is missing: a personal access token of the Supabase account.",
    "SUPABASE_DB_PASSWORD is missing: the password of the project's database.",
    "TIDINGS_TRUSTED_PROXIES must be 2 on hosted Supabase, where both the front door and Supabase name the client, and 3 with a CDN in front.",
    "TIDINGS_PUBLIC_URL is missing: the URL of the product, such as https://tidings.example.",
    "TIDINGS_OAUTH_PROVIDERS can only list google and github, separated by commas.",
    "TIDINGS_MAIL_FROM is missing: the sender of emails through TIDINGS_MAIL_API_URL.",
  ]);
  expect(planDeployment(root, { ...env, TIDINGS_PUBLIC_URL: "http://tidings.example" }).problems).toEqual([
    "TIDINGS_PUBLIC_URL must begin with https://: sessions are kept in Secure cookies.",
  ]);
  for (const url of ["smtp://mail.example", "smtp://u:p@mail.example:587", "smtp://mail.example:25/"])
    expect(planDeployment(root, { ...env, TIDINGS_MAIL_SMTP_URL: url, TIDINGS_MAIL_FROM: "a@b.example" }).problems).toEqual([
      "TIDINGS_MAIL_SMTP_URL must use another port, such as smtps://…:465. Hosted functions can't reach 25 and 587.",
    ]);
  expect(planDeployment(root, { ...env, TIDINGS_MAIL_SMTP_URL: "smtps://u:p@mail.example:465" }).problems).toEqual([
    "TIDINGS_MAIL_FROM is missing: the sender of emails through TIDINGS_MAIL_SMTP_URL.",
  ]);
  expect(planDeployment(root, { ...env, TIDINGS_TRUSTED_PROXIES: "1" }).problems).toHaveLength(1);
});

test("the plan includes dynamic imports", () => {
  const sources = new Map(deployable(root).map((one) => [one.name, one.sources]));
  expect(sources.get("og")).toContain("edge-functions/og/parts/resvg.ts");
  expect(sources.get("api")).toContain("edge-functions/releases/preview.tsx");
});

test("the plan reports problems that the CLI would miss", () => {
  for (const name of ["supabase/config.toml", "supabase/migrations", "edge-functions", "contract"]) {
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  }
  rmSync(path.join(folder, "contract/limits.ts"));
  writeFileSync(path.join(folder, "edge-functions/presence/index.ts"), 'import chalk from "chalk";\n');
  writeFileSync(path.join(folder, "supabase/migrations/29990101_later.sql"), "");
  const { problems } = planDeployment(folder, env);
  expect(problems).toContain("Function api: limits.ts doesn't exist.");
  expect(problems).toContain("Function presence: index.ts imports chalk, which its import map doesn't contain.");
  expect(problems).toContain("Migration 29990101_later.sql isn't named like 20260101000000_name.sql.");
});

describe("the settings of the auth service", () => {
  const settings = (more: Record<string, string> = {}) => planDeployment(root, { ...env, ...more }).auth;

  test("are those of config.toml, at the product's address", () => {
    expect(settings()).toMatchObject({
      site_url: "https://tidings.example",
      uri_allow_list: "https://tidings.example/**",
      password_min_length: 8,
      mailer_autoconfirm: false,
      mailer_otp_length: 10, // a link's token is made from the code: six digits could be guessed
      mailer_otp_exp: 3_600,
      mailer_secure_email_change_enabled: false,
      smtp_max_frequency: 1,
      security_sb_forwarded_for_enabled: true,
      mailer_subjects_recovery: "Choose a new password for Tidings",
    });
    for (const kind of ["confirmation", "recovery", "email_change"]) {
      expect(settings()?.[`mailer_templates_${kind}_content`]).toContain("{{ .SiteURL }}/auth/confirm?token_hash={{ .TokenHash }}");
    }
  });

  test("have shared limits, since all people share the functions' address", () => {
    expect(settings()).toMatchObject({ rate_limit_token_refresh: 1_800, rate_limit_otp: 360, rate_limit_verify: 360 });
  });

  test("keep an SMTP server and providers set up in the dashboard", () => {
    expect(Object.keys(settings() ?? {}).filter((name) => /^smtp_host|^external_g|rate_limit_email_sent/.test(name))).toEqual([]);
  });

  test("include the SMTP server with its limit, Google and the bot check if given", () => {
    const given = {
      SMTP_HOST: "smtp.example",
      SMTP_USER: "tidings",
      SMTP_PASS: "p",
      SMTP_FROM: "hello@tidings.example",
      GOOGLE_CLIENT_ID: "id",
      GOOGLE_SECRET: "s",
      TURNSTILE_SITE_KEY: "0x4",
      TURNSTILE_SECRET_KEY: "t",
    };
    expect(settings(given)).toMatchObject({
      smtp_host: "smtp.example",
      smtp_port: "587",
      smtp_admin_email: "hello@tidings.example",
      rate_limit_email_sent: 360,
      external_google_enabled: true,
      external_google_client_id: "id",
      security_captcha_enabled: true,
      security_captcha_provider: "turnstile",
      security_captcha_secret: "t",
    });
  });

  test.each([
    [{}, { security_captcha_enabled: false }],
    [{ TURNSTILE_SITE_KEY: "0x4" }, {}],
  ])("with %j have the bot check %j", (given, expected) => {
    expect(Object.entries(settings(given) ?? {}).filter(([name]) => name.includes("captcha"))).toEqual(Object.entries(expected));
  });

  test("that go together are missed by name", () => {
    expect(planDeployment(root, { ...env, SMTP_HOST: "smtp.example", SMTP_USER: "u", GOOGLE_CLIENT_ID: "id" }).problems).toEqual([
      "SMTP_PASS is missing: the SMTP server for sign-up emails needs it beside SMTP_HOST.",
      "SMTP_FROM is missing: the SMTP server for sign-up emails needs it beside SMTP_HOST.",
      "GOOGLE_SECRET is missing: signing in with Google needs it beside GOOGLE_CLIENT_ID.",
    ]);
  });
});

describe("npm run deploy", () => {
  interface Asked {
    request: string;
    authorization: string | undefined;
    body: Record<string, unknown>;
  }

  let management: Server;
  let asked: Asked[] = [];
  let status = 200;
  let counts = false;
  beforeAll(async () => {
    management = createServer(async (request, response) => {
      const body = JSON.parse((await request.toArray()).join("")) as Record<string, unknown>;
      asked.push({ request: `${request.method} ${request.url}`, authorization: request.headers.authorization, body });
      response
        .writeHead(request.method === "PATCH" ? status : 200, { "content-type": "application/json" })
        .end(JSON.stringify(request.url?.endsWith("/query") ? [{ counts }] : { message: "so be it" }));
    });
    await new Promise<void>((resolve) => management.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => management.close());

  interface Deployed {
    code: number | null;
    output: string;
    calls: string[];
    sent: string;
  }

  async function deploy(settings: Record<string, string>, fails = ""): Promise<Deployed> {
    const calls = path.join(folder, "calls");
    const sent = path.join(folder, "sent");
    for (const file of [calls, sent]) writeFileSync(file, "");
    const cli = `#!/bin/sh
echo "$*" >> "${calls}"
[ "$2 $3" = "${fails}" ] && exit 1
[ "$2 $3" = "secrets set" ] && cat "$5" >> "${sent}"
[ "$2 $3" = "secrets list" ] && echo '[{"name":"NODE_ENV"},{"name":"TIDINGS_PUBLIC_URL"},{"name":"SUPABASE_URL"},{"name":"TURNSTILE_SITE_KEY"}]'
exit 0
`;
    mkdirSync(path.join(folder, "bin"), { recursive: true });
    writeFileSync(path.join(folder, "bin/npx"), cli, { mode: 0o755 });
    asked = [];
    const child = spawn(process.execPath, ["scripts/deploy.ts", ...(settings.DRY ? ["--dry-run"] : [])], {
      cwd: root,
      env: {
        ...env,
        ...settings,
        SUPABASE_API_URL: `http://127.0.0.1:${(management.address() as AddressInfo).port}`,
        PATH: `${path.join(folder, "bin")}:${process.env.PATH}`,
      },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    const lines = readFileSync(calls, "utf8")
      .replaceAll(/(?<=--env-file )\S+/g, "…")
      .trim();
    return { code, output, calls: lines === "" ? [] : lines.split("\n"), sent: readFileSync(sent, "utf8") };
  }

  test("sets up the auth service before the functions that rely on it", async () => {
    const { code, output, calls } = await deploy({});
    expect([code, calls.at(-1)]).toEqual([0, "supabase functions deploy --use-api"]);
    expect(asked.map(({ request, authorization }) => [request, authorization])).toEqual([
      ["POST /v1/projects/abcdefghijklmnopqrst/database/query", "Bearer sbp_x"],
      ["PATCH /v1/projects/abcdefghijklmnopqrst/config/auth", "Bearer sbp_x"],
    ]);
    expect(asked[1]?.body).toEqual(planDeployment(root, env).auth);
    expect(output.indexOf("settings of the auth service")).toBeLessThan(output.indexOf("supabase functions deploy"));
  });

  test("writes the sign-up rule, and shows the operator's link without an operator", async () => {
    counts = true;
    const first = await deploy({ TIDINGS_SIGNUP: "domains:Acme.example,b.example" });
    counts = false;
    expect(asked[0]?.body.query).toMatch(
      /^select private\.set_sign_up_rule\('domains', '\{acme\.example,b\.example\}', null, '\\x[0-9a-f]{64}'\) as counts$/,
    );
    expect(first.output).toMatch(/^Operator +https:\/\/tidings\.example\/auth\?type=signup&returnUrl=\/onboarding&token=[\w-]{43}$/m);
    const later = await deploy({ TIDINGS_OPERATOR_EMAIL: "o'neil@acme.example" });
    expect(asked[0]?.body.query).toContain("set_sign_up_rule('invited', '{}', 'o''neil@acme.example', ");
    expect(later.output).not.toContain("&token=");
  });

  test("refuses a rule that makes no sense, and sends no requests", async () => {
    const { code, output, calls } = await deploy({ TIDINGS_SIGNUP: "domains:" });
    expect([code, calls, asked]).toEqual([1, [], []]);
    expect(output).toContain('TIDINGS_SIGNUP names "", which isn\'t a domain such as acme.example.');
  });

  test("stops if the auth service's settings are refused, and prints the reason", async () => {
    status = 400;
    const { code, output, calls } = await deploy({});
    status = 200;
    expect([code, calls.some((call) => call.includes("functions deploy"))]).toEqual([1, false]);
    expect(output).toContain('the auth settings were answered with 400: {"message":"so be it"}');
    expect(output).toContain('Setting up the auth service failed; what came before it stays, and "npm run deploy" can run again.');
  });

  test("sets values, unsets removed ones, and leaves foreign ones", async () => {
    const { code, calls, sent } = await deploy({ TURNSTILE_SITE_KEY: "" });
    expect([code, calls]).toEqual([
      0,
      [
        "supabase link --project-ref abcdefghijklmnopqrst",
        "supabase db push --include-all --yes",
        "supabase secrets set --env-file …",
        "supabase secrets list --output json",
        "supabase secrets unset TURNSTILE_SITE_KEY --yes",
        "supabase functions deploy --use-api",
      ],
    ]);
    expect(parseEnv(sent)).toEqual({ NODE_ENV: "production", TIDINGS_PUBLIC_URL: "https://tidings.example", TIDINGS_TRUSTED_PROXIES: "2" });
  });

  test.each(['"Tidings, Inc." <hello@tidings.example>', 'it\'s \\n "so" $HOME #1', "back`tick and 'quote'"])(
    "sends %s as it is",
    async (sender) => {
      const { sent } = await deploy({ TIDINGS_MAIL_API_URL: "https://mail.example", TIDINGS_MAIL_FROM: sender });
      expect(parseEnv(sent)).toMatchObject({ TIDINGS_MAIL_FROM: sender });
    },
  );

  test.each(["two\nlines", `all of '"\``])("refuses a value that no file can carry: %j", async (sender) => {
    const { code, output, calls } = await deploy({ TIDINGS_MAIL_API_URL: "https://mail.example", TIDINGS_MAIL_FROM: sender });
    expect([code, calls]).toEqual([1, []]);
    expect(output).toContain("TIDINGS_MAIL_FROM must be one line without one kind of quotes");
  });

  test("unsets nothing where nothing was turned off", async () => {
    const { code, calls } = await deploy({ TURNSTILE_SITE_KEY: "0x4AAA" });
    expect([code, calls.filter((call) => call.includes("unset"))]).toEqual([0, []]);
  });

  test("the dry run prints what would change and sends no requests", async () => {
    const { output, calls } = await deploy({ DRY: "1", TIDINGS_MAIL_FROM: "", TURNSTILE_SITE_KEY: "0x4", TURNSTILE_SECRET_KEY: "t" });
    expect(output).toMatch(/^Secrets +TIDINGS_PUBLIC_URL, TURNSTILE_SITE_KEY, TIDINGS_TRUSTED_PROXIES$/m);
    expect(output).toMatch(/^Unset +TIDINGS_ANALYTICS_SRC, .*TIDINGS_MAIL_FROM, .*where the project has them$/m);
    expect(output).toMatch(/^Auth +site_url = https:\/\/tidings\.example$/m);
    expect(output).toMatch(/^Auth +mailer_templates_recovery_content = \d+ characters$/m);
    expect(output).toMatch(/^Auth +security_captcha_secret = \(secret\)$/m);
    expect(asked).toEqual([]);
    expect(calls).toEqual([]);
  });

  test.each(["db push", "secrets list", "secrets unset"])("stops where %s fails", async (step) => {
    const { code, output, calls } = await deploy({}, step);
    expect(code).toBe(1);
    expect(output).toContain(`supabase ${step} failed; what came before it stays, and "npm run deploy" can run again.`);
    expect(calls.at(-1)).toMatch(new RegExp(`^supabase ${step}`));
  });
});
