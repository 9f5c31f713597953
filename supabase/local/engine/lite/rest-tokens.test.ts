import { expect, test } from "vitest";
import { leaveTokensToRest } from "./rest-tokens.ts";

async function takenFor(method: string, path: string, authorization?: string): Promise<Record<string, string>> {
  const known: Record<string, string> = {};
  let went = false;
  const context = { req: { path, method, header: () => authorization }, set: (name: string, value: string) => void (known[name] = value) };
  await leaveTokensToRest(context, async () => void (went = true));
  expect(went).toBe(true);
  return known;
}

test("only REST verifies a person's token at REST", async () => {
  const known = await takenFor("POST", "/rest/v1/rpc/save_post", "Bearer a.b.c");
  expect(Object.keys(known)).toEqual(["userId", "sessionId"]);
});

test.each([
  ["GET", "/auth/v1/user", "Bearer a.b.c"],
  ["GET", "/storage/v1/object/post-images/x", "Bearer a.b.c"],
  ["OPTIONS", "/rest/v1/posts", "Bearer a.b.c"],
  ["GET", "/rest/v1/posts", undefined],
  ["GET", "/rest/v1/posts", "Bearer sb_secret_x"],
  ["GET", "/rest/v1/posts", "Bearer sb_a.b.c"],
  ["GET", "/rest/v1/posts", "Bearer a.b."],
  ["GET", "/rest/v1/posts", "Bearer a.b.c.d"],
  ["GET", "/rest/v1/posts", "Bearer  a.b.c"],
  ["GET", "/rest/v1/posts", "bearer a.b.c"],
  ["GET", "/rest/v1/posts", "Basic a.b.c"],
])("%s %s with %s has no user", async (method, path, authorization) => {
  expect(await takenFor(method, path, authorization)).toEqual({});
});
