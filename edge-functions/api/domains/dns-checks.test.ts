import { expect, test, vi } from "vitest";
import type { Dns } from "../../_shared/dns.ts";
import { lookUp } from "./dns-checks.ts";

test("many slow DNS labels take no longer than one query", async () => {
  vi.useFakeTimers();
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Error("late")), ms);
    return abort.signal;
  });
  const asked: string[] = [];
  const dns: Dns = {
    texts: () => Promise.resolve(["token"]),
    names: () => Promise.resolve([]),
    caa: async (name) => {
      asked.push(name);
      await new Promise((resolve) => setTimeout(resolve, 4_900));
      return [];
    },
  };
  const host = `${"a.".repeat(100)}example.com`;
  const wanted = { host, token: "token", target: "acme.tidings.example", authorities: ["letsencrypt.org"] };
  try {
    const looking = lookUp(dns, wanted);
    await vi.advanceTimersByTimeAsync(5_000);
    const { look, forbidden } = await looking;
    expect(look.isProven).toBe(true);
    expect(forbidden).toBeNull();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(2);
  } finally {
    vi.useRealTimers();
    vi.restoreAllMocks();
  }
});
