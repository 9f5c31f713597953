import { renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { SWRConfig } from "swr";
import { expect, test } from "vitest";
import { useRole } from "./use-role.ts";
import { acme } from "../../../tests/support/web/fixtures.ts";
import { refusal, stubApi } from "../../../tests/support/web/stub-api.ts";

const fresh = { provider: () => new Map(), dedupingInterval: 0, shouldRetryOnError: false };
const Cache = ({ children }: { children: ReactNode }) => <SWRConfig value={fresh}>{children}</SWRConfig>;

/** An editor's role was read; then the connection comes back and it is asked for again. */
async function askedAgain(answer: () => unknown) {
  const api = stubApi({ "GET /api/team/role/*": { role: "editor" } });
  const { result } = renderHook(() => useRole({ id: acme.id, role: "viewer" }), { wrapper: Cache });
  await waitFor(() => expect(result.current).toBe("editor"));
  api.set({ "GET /api/team/role/*": answer });
  window.dispatchEvent(new Event("online"));
  await waitFor(() => expect(api.to("GET /api/team/role/*")).toHaveLength(2));
  await new Promise((resolve) => setTimeout(resolve, 20)); // until the answer was taken
  return result;
}

test.each(["unavailable", "rate_limited", "internal"] as const)("a role that is known stays when the server answers %s", async (code) => {
  expect((await askedAgain(() => refusal(code))).current).toBe("editor");
});

test("it stays when there is no connection", async () => {
  expect((await askedAgain(() => Promise.reject(new TypeError("offline")))).current).toBe("editor");
});

test.each(["forbidden", "not_found"] as const)("it is gone when the server answers %s", async (code) => {
  const role = await askedAgain(() => refusal(code));
  await waitFor(() => expect(role.current).toBeNull());
});

test("while it is not known, the list's answer stands in", async () => {
  stubApi({ "GET /api/team/role/*": () => refusal("unavailable") });
  const { result } = renderHook(() => useRole({ id: acme.id, role: "admin" }), { wrapper: Cache });
  expect(result.current).toBe("admin");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(result.current).toBe("admin");
});
