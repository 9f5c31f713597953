import { expect, test } from "vitest";
import { passHeader } from "#contract/services-pass.ts";
import { ownCalls } from "./own-calls.ts";

const isOurs = ownCalls("pass-1", "sb_secret_1");

test.each<[string, Record<string, string>, boolean]>([
  ["the pass", { [passHeader]: "pass-1", authorization: "Bearer a.b.c" }, true],
  ["another pass", { [passHeader]: "pass-2" }, false],
  ["an empty pass", { [passHeader]: "" }, false],
  ["another pass beside the secret key", { [passHeader]: "pass-2", apikey: "sb_secret_1" }, false],
  ["the secret key", { apikey: "sb_secret_1", authorization: "Bearer sb_secret_1" }, true],
  ["the secret key beside a person's token", { apikey: "sb_secret_1", authorization: "Bearer a.b.c" }, true],
  ["the secret key as a token alone", { authorization: "bearer sb_secret_1" }, true],
  ["another secret key", { apikey: "sb_secret_2", authorization: "Bearer sb_secret_12" }, false],
  ["the publishable key", { apikey: "sb_publishable_1", authorization: "Bearer a.b.c" }, false],
  ["the pass in place of a key", { apikey: "pass-1", authorization: "Bearer pass-1" }, false],
  ["nothing", {}, false],
])("a call with %s is ours or not", (_, headers, expected) => {
  expect(isOurs(new Headers(headers))).toBe(expected);
});
