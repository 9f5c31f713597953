import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import UnhandledErrors from "./unhandled-errors.ts";

const folder = mkdtempSync(join(tmpdir(), "tidings-unhandled-"));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test("an error that no test caught is named, with where it came from", () => {
  const file = join(folder, "errors.json");
  vi.stubEnv("UNHANDLED_ERRORS", file);
  const stack =
    "Error: read ECONNRESET\n    at TCP.onStreamRead (node:internal/stream_base:218:20)\n    at sleeper (/a/socket.test.ts:20:3)";
  new UnhandledErrors().onTestRunEnd(
    [],
    [{ name: "Error", message: "read ECONNRESET\nmore", stack, VITEST_TEST_PATH: "a/socket.test.ts" }, { message: "lost" }],
  );
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual([
    "a/socket.test.ts: unhandled Error: read ECONNRESET at sleeper (/a/socket.test.ts:20:3)",
    "outside of any test: unhandled error: lost",
  ]);
});
