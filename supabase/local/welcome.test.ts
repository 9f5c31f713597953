import { expect, test, vi } from "vitest";
import { version } from "#contract/version.ts";

vi.stubGlobal("Deno", { env: { get: () => undefined } });
const module = "welcome"; // not read by tsc, which knows nothing of Deno
const { welcome } = (await import(`./${module}.ts`)) as { welcome(stack: object): Promise<string> };

const stack = (service: object | null, mode = "invited", token: string | null = null) => ({
  publicUrl: "https://tidings.example",
  url: "http://127.0.0.1:3000",
  settings: { dataDir: "/var/lib/tidings", service, signUp: { mode } },
  operatorToken: () => token,
  demoAccount: async () => null,
  missingFunctions: () => [],
});

test("the start names the version and the address", async () => {
  expect(await welcome(stack(null))).toContain(`Tidings ${version} is running at https://tidings.example`);
});

test("npm run serve says that @supabase/lite is alpha, npm start does not", async () => {
  expect(await welcome(stack({}))).toMatch(/@supabase\/lite, which its makers call alpha/);
  expect(await welcome(stack(null))).not.toContain("alpha");
});

test("npm run serve shows the operator's link until there is an operator", async () => {
  expect(await welcome(stack({}, "invited", "t0ken"))).toContain(
    "https://tidings.example/auth?type=signup&returnUrl=/onboarding&token=t0ken",
  );
  expect(await welcome(stack({}))).not.toContain("Operator");
});

test("npm run serve says that sign-up is open, npm start does not", async () => {
  expect(await welcome(stack({}, "open"))).toContain("sign-up is open");
  expect(await welcome(stack({}))).not.toContain("sign-up is open");
  expect(await welcome(stack(null, "open"))).not.toContain("sign-up is open");
});
