import { afterAll, vi } from "vitest";

/** For files that share a process: what one has replaced is not there for the next, which would else see the calls of both. */
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
