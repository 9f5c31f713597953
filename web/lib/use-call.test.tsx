import { renderHook, waitFor } from "@testing-library/react";
import type { PropsWithChildren } from "react";
import { SWRConfig } from "swr";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import type { Endpoint } from "#contract/endpoint.ts";
import { stubApi } from "../../tests/support/web/stub-api.ts";
import { useCall } from "./use-call.ts";

const query = z.object({ of: z.string() });
const words: Endpoint<z.ZodUndefined, typeof query, z.ZodUndefined, z.ZodObject<{ of: z.ZodString }>> = {
  method: "GET",
  path: "/api/words",
  summary: "Words",
  status: 200,
  access: "signed-in",
  query,
  response: z.object({ of: z.string() }),
};

test("useCall fetches the key's own URL after the key has changed", async () => {
  const api = stubApi({ "GET /api/words": ({ path }: { path: string }) => ({ of: new URLSearchParams(path.split("?")[1]).get("of") }) });
  const frames: FrameRequestCallback[] = [];
  vi.stubGlobal("requestAnimationFrame", (frame: FrameRequestCallback) => frames.push(frame));
  const cache = new Map();
  const wrapper = ({ children }: PropsWithChildren) => (
    <SWRConfig value={{ provider: () => cache, dedupingInterval: 0, revalidateOnFocus: false }}>{children}</SWRConfig>
  );
  const hook = renderHook(({ of }) => useCall(words, { query: { of } }, { keepPreviousData: true }).data?.of, {
    initialProps: { of: "all" },
    wrapper,
  });
  await waitFor(() => expect(hook.result.current).toBe("all"));
  hook.rerender({ of: "one" });
  await waitFor(() => expect(hook.result.current).toBe("one"));
  const before = api.requests.length;

  hook.rerender({ of: "all" }); // cached, and revalidated in the next frame
  hook.rerender({ of: "one" });
  expect(frames.length).toBeGreaterThan(0);
  for (const frame of frames.splice(0)) frame(0);
  await waitFor(() => expect(api.requests.length).toBe(before + 2));
  await waitFor(() => expect(hook.result.current).toBe("one"));
  expect(api.requests.slice(before).map(({ path }) => path)).toEqual(["/api/words?of=all", "/api/words?of=one"]);
  hook.rerender({ of: "all" });
  expect(hook.result.current).toBe("all");
});
