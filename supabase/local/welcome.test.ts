import { describe, expect, test, vi } from "vitest";
import { version } from "#contract/version.ts";

vi.stubGlobal("Deno", { env: { get: () => undefined } });
const module = "welcome";
const { welcome } = (await import(`./${module}.ts`)) as { welcome(stack: object): Promise<string> };

const yesterday = new Date(Date.now() - 86_400_000);
const stack = (service: object | null, mode = "invited", token: string | null = null) => ({
  publicUrl: "https://tidings.example",
  url: "http://127.0.0.1:3000",
  settings: { dataDir: "/var/lib/tidings", service, signUp: { mode } },
  operatorToken: () => token,
  lastBackup: async (): Promise<Date | null> => yesterday,
  demoAccount: async () => null,
  missingFunctions: () => [],
});

test("the welcome message has the version and the URL", async () => {
  expect(await welcome(stack(null))).toContain(`Tidings ${version} is running at https://tidings.example`);
});

test("npm run serve shows the operator's link until there is an operator", async () => {
  expect(await welcome(stack({}, "invited", "t0ken"))).toContain(
    "https://tidings.example/auth?type=signup&returnUrl=/onboarding&token=t0ken",
  );
  expect(await welcome(stack({}))).not.toContain("Operator");
});

describe("npm run serve names each risk in a line", () => {
  const risks = async (changes: object = {}, settings: object = {}) => {
    const usual = stack({});
    const text = await welcome({ ...usual, ...changes, settings: { ...usual.settings, gotrue: {}, ...settings } });
    return [...text.matchAll(/^ {2}Risk {11}(.*)$/gm)].map(([, risk]) => risk);
  };
  const lite = "REST and storage use @supabase/lite, which is alpha: see docs/self-hosting.md";
  const advice = "make one regularly (docs/operations.md)";
  const daysAgo = (days: number) => ({ lastBackup: async () => new Date(Date.now() - days * 86_400_000) });

  test.each<[string, object, object, string[]]>([
    ["the best one", {}, {}, [lite]],
    ["auth by lite", {}, { gotrue: null }, [`auth, ${lite}`]],
    [
      "a plain address",
      { publicUrl: "http://tidings.example" },
      {},
      ["passwords are sent unencrypted: set up https (docs/self-hosting.md)", lite],
    ],
    ["open sign-up", {}, { signUp: { mode: "open" } }, ["sign-up is open: anyone can create an account (TIDINGS_SIGNUP=open)", lite]],
    ["no backup", { lastBackup: async () => null }, {}, [`no backup exists: ${advice}`, lite]],
    ["a backup of last week", daysAgo(7.5), {}, [`the last backup is 7 days old: ${advice}`, lite]],
    ["a backup of this week", daysAgo(6.5), {}, [lite]],
    ["a Supabase project, whose backups are its own", { lastBackup: async () => null }, { project: { url: "https://x.supabase.co" } }, []],
  ])("%s", async (_, changes, settings, expected) => {
    expect(await risks(changes, settings)).toEqual(expected);
  });

  test("npm start lists no risks", async () => {
    expect(await welcome({ ...stack(null, "open"), lastBackup: async () => null })).not.toContain("Risk");
  });
});
