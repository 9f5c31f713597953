import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../../lib/api-client.ts";
import { retry, giveUpMs, type Waiting } from "../../lib/retry.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const away = new ApiError(0, "network", "We can't reach the server.");
const broken = new ApiError(503, "unavailable", "Please try again.");
const busy = (ms: number) => new ApiError(429, "rate_limited", "Too many requests.", {}, ms);

/** Attempts that end as `fate` says. */
function startRetry(fate: (tries: number) => ApiError | string) {
  const told: (Waiting | null)[] = [];
  const stop = new AbortController();
  const seen = { tries: 0, told, stop, end: undefined as unknown };
  const work = async () => {
    const answer = fate(++seen.tries);
    if (typeof answer !== "string") throw answer;
    return answer;
  };
  retry(work, stop.signal, (waiting) => told.push(waiting)).then(
    (answer) => (seen.end = answer),
    (error: unknown) => (seen.end = error),
  );
  return seen;
}

test.each([away, broken])("retry gives up after ten minutes of $code", async (error) => {
  const seen = startRetry(() => error);
  await vi.advanceTimersByTimeAsync(giveUpMs - 1_000);
  expect(seen.end).toBeUndefined();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(seen.end).toBe(error);
  const { tries } = seen;
  await vi.advanceTimersByTimeAsync(giveUpMs);
  expect(seen.tries).toBe(tries);
});

test("retry waits as long as retry-after asks", async () => {
  const seen = startRetry((tries) => (tries <= 5 ? busy(900_000) : "done"));
  await vi.advanceTimersByTimeAsync(0);
  expect(seen.told).toEqual([{ why: "busy", until: Date.now() + 900_000 }]);
  await vi.advanceTimersByTimeAsync(5 * 900_000 - 1);
  expect(seen.end).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(seen.end).toBe("done");
});

test("retry continues after the computer slept", async () => {
  const seen = startRetry((tries) => (tries <= 3 ? away : "done"));
  await vi.advanceTimersByTimeAsync(0);
  vi.setSystemTime(Date.now() + 8 * 3_600_000);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(seen.end).toBe("done");
});

test("retry stops on abort", async () => {
  const seen = startRetry(() => away);
  await vi.advanceTimersByTimeAsync(2_000);
  const { tries } = seen;
  seen.stop.abort(new Error("stopped"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect([seen.end, seen.tries]).toEqual([new Error("stopped"), tries]);
});
