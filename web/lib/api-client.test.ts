import { expect, onTestFinished, test, vi } from "vitest";
import { profileEndpoints } from "#contract/profile.ts";
import { workspaceEndpoints } from "#contract/workspaces.ts";
import { ApiError, call } from "./api-client.ts";
import { startRead } from "./started-reads.ts";

test.each([
  ["the first field's", { title: "Please enter a title", tags: "Too many tags" }, "Please enter a title"],
  ["its own without field errors", {}, "Please check what you entered"],
])("ApiError.sentence is %s", (_, fields, sentence) => {
  expect(new ApiError(422, "validation_failed", "Please check what you entered", { fields }).sentence).toBe(sentence);
});

test.each<[string, number, boolean]>([
  ["no answer", 0, false],
  ["an unreadable response", 200, false],
  ["an invalid field", 422, true],
  ["no session", 401, true],
  ["an incomplete request", 408, false],
  ["too many requests", 429, false],
  ["a server error", 500, false],
])("ApiError.isRefusal for %s (%s) is %s", (_, status, isRefusal) => {
  expect(new ApiError(status, "internal", "").isRefusal).toBe(isRefusal);
});

test("one call takes the response of a read that was started, without another request", async () => {
  const fetched = vi.fn(async () => Response.json({ workspaces: [] }));
  vi.stubGlobal("fetch", fetched);
  onTestFinished(() => void vi.unstubAllGlobals());
  startRead("/api/workspaces");
  for (const requests of [1, 2]) {
    await call(workspaceEndpoints.list);
    expect(fetched).toHaveBeenCalledTimes(requests);
  }
});

test("a call with onProgress reads retry-after", async () => {
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
