import { expect, test, vi } from "vitest";

vi.stubGlobal("Deno", { env: { get: () => undefined } });
const module = "welcome"; // not read by tsc, which knows nothing of Deno
const { welcome } = (await import(`./${module}.ts`)) as { welcome(stack: object): Promise<string> };

const stack = (service: object | null) => ({
  publicUrl: "https://tidings.example",
  url: "http://127.0.0.1:3000",
  settings: { dataDir: "/var/lib/tidings", service },
  demoAccount: async () => null,
  missingFunctions: () => [],
});

test("npm run serve says that @supabase/lite is alpha, npm start does not", async () => {
  expect(await welcome(stack({}))).toMatch(/@supabase\/lite, which its makers call alpha/);
  expect(await welcome(stack(null))).not.toContain("alpha");
});
