import { expect, test } from "vitest";
import { secretsIn } from "./secret-scan-rules.ts";

test.each([
  [`key="${"sb_secret_"}abcdefgh1234"`, "a Supabase secret key"],
  [`const url = "postgresql://postgres:hunter2@db.example/postgres"`, "a database address with a password"],
  ["-----BEGIN EC PRIVATE KEY-----", "a private key"],
  [`role: "service_role"`, "the role that no policy holds"],
])("secretsIn finds %s", (text, what) => expect(secretsIn(text)).toEqual([what]));

test("public keys do not count as secrets", () => {
  expect(secretsIn('createClient("https://tidings.example", "sb_publishable_abcdefgh1234", { role: "anon" })')).toEqual([]);
});
