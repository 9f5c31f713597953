import { afterAll, vi } from "vitest";

/** Restores mocks, since files share a process. */
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
