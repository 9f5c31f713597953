import { expect, onTestFinished, test, vi } from "vitest";
import { profileEndpoints } from "#contract/profile.ts";
import { ApiError, call } from "./api-client.ts";

test.each([
  ["the first field's, which says more", { title: "Please enter a title", tags: "Too many tags" }, "Please enter a title"],
  ["its own where no field is to blame", {}, "Please check what you entered"],
])("the sentence of a refusal is %s", (_, fields, sentence) => {
  expect(new ApiError(422, "validation_failed", "Please check what you entered", { fields }).sentence).toBe(sentence);
});

test.each<[string, number, boolean]>([
  ["no answer", 0, false],
  ["an answer that cannot be read", 200, false],
  ["a field that is wrong", 422, true],
  ["no session", 401, true],
  ["a request that did not arrive in full", 408, false],
  ["too many requests", 429, false],
  ["a server at fault", 500, false],
])("%s is a refusal: %s %s", (_, status, isRefusal) => {
  expect(new ApiError(status, "internal", "").isRefusal).toBe(isRefusal);
});

test("a call that tells how far it is hears, too, how long the server wants to be left alone", async () => {
  class Busy {
    upload = {};
    status = 429;
    responseText = JSON.stringify({ error: "Too many attempts.", code: "rate_limited" });
    onload?: () => void;
    open() {}
    setRequestHeader() {}
    getResponseHeader = (name: string) => (name.toLowerCase() === "retry-after" ? "7" : null);
    send = () => this.onload?.();
  }
  vi.stubGlobal("XMLHttpRequest", Busy);
  onTestFinished(() => void vi.unstubAllGlobals());
  await expect(call(profileEndpoints.me, { onProgress: () => undefined })).rejects.toMatchObject({
    code: "rate_limited",
    retryAfterMs: 7_000,
  });
});
