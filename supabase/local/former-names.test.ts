import { expect, test } from "vitest";
import { adoptFormerNames } from "./former-names.ts";

test("adoptFormerNames sets variables from their former names with a warning, unless they have a value", () => {
  const env: Record<string, string | undefined> = { MAIL_FROM: "a@acme.example", SEED: "demo", TIDINGS_SEED: "none", LOG: "" };
  const warnings: string[] = [];
  adoptFormerNames(env, (warning) => warnings.push(warning));
  expect([env.TIDINGS_MAIL_FROM, env.TIDINGS_SEED, env.TIDINGS_LOG]).toEqual(["a@acme.example", "none", undefined]);
  expect(warnings).toEqual(["MAIL_FROM is now called TIDINGS_MAIL_FROM. The former name still works."]);
});
