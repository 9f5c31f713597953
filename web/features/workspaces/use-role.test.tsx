import { renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { SWRConfig } from "swr";
import { expect, test } from "vitest";
import { useRole } from "./use-role.ts";
import { acme } from "../../../tests/support/web/fixtures.ts";
import { refusal, stubApi } from "../../../tests/support/web/stub-api.ts";

const fresh = { provider: () => new Map(), dedupingInterval: 0, shouldRetryOnError: false };
const Cache = ({ children }: { children: ReactNode }) => <SWRConfig value={fresh}>{children}</SWRConfig>;

/** Loads the editor role, then revalidates when back online. */
async function revalidatedRole(answer: () => unknown) {
  const api = stubApi({ "GET /api/team/role/*": { role: "editor" } });
  const { result } = renderHook(() => useRole({ id: acme.id, role: "viewer" }), { wrapper: Cache });
  await waitFor(() => expect(result.current).toBe("editor"));
  api.set({ "GET /api/team/role/*": answer });
  window.dispatchEvent(new Event("online"));
  await waitFor(() => expect(api.to("GET /api/team/role/*")).toHaveLength(2));
  await new Promise((resolve) => setTimeout(resolve, 20)); // until the answer was taken
  return result;
}

test.each(["unavailable", "rate_limited", "internal"] as const)("useRole keeps the role after %s", async (code) => {
  expect((await revalidatedRole(() => refusal(code))).current).toBe("editor");
});

test("useRole keeps the role offline", async () => {
  expect((await revalidatedRole(() => Promise.reject(new TypeError("offline")))).current).toBe("editor");
});

test.each(["forbidden", "not_found"] as const)("useRole clears the role after %s", async (code) => {
  const role = await revalidatedRole(() => refusal(code));
  await waitFor(() => expect(role.current).toBeNull());
});

test("useRole falls back to the list's role", async () => {
  stubApi({ "GET /api/team/role/*": () => refusal("unavailable") });
  const { result } = renderHook(() => useRole({ id: acme.id, role: "admin" }), { wrapper: Cache });
  expect(result.current).toBe("admin");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(result.current).toBe("admin");
});
