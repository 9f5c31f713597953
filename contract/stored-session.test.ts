import { createChunks, stringToBase64URL } from "@supabase/ssr";
import { expect, test } from "vitest";
import { cookiesIn, storedSession } from "./stored-session.ts";

const session = (length: number) => ({ access_token: "t".repeat(length), refresh_token: "r", expires_at: 1_800_000_000, name: "Zoë ✓" });
const written = (value: object) => createChunks("tc-auth", `base64-${stringToBase64URL(JSON.stringify(value))}`);
const headerOf = (cookies: { name: string; value: string }[]) => cookies.map(({ name, value }) => `${name}=${value}`).join("; ");

test.each([10, 3_000, 9_000])("a session of %i characters written by @supabase/ssr is read, in any number of chunks", (length) => {
  const cookies = written(session(length));
  expect(cookies.length > 1).toBe(length > 2_000);
  expect(storedSession(cookiesIn(`other=1; ${headerOf(cookies)}; theme=dark`))).toEqual(session(length));
  expect(storedSession(cookies.toReversed())).toEqual(session(length));
});

test("an incomplete, foreign or missing session is null", () => {
  expect(storedSession(written(session(9_000)).slice(0, 2))).toBeNull();
  expect(storedSession(written({ access_token: "", refresh_token: "r", expires_at: 1 }))).toBeNull();
  expect(storedSession(written([]))).toBeNull();
  for (const header of [null, "", "tc-auth", "tc-auth=", "tc-auth=base64-%%%", "tc-auth=plain"])
    expect(storedSession(cookiesIn(header))).toBeNull();
});

test("a value is decoded if possible", () => {
  expect(cookiesIn("a=x%20y;b=%zz; c = 1=2")).toEqual([
    { name: "a", value: "x y" },
    { name: "b", value: "%zz" },
    { name: "c", value: "1=2" },
  ]);
});
