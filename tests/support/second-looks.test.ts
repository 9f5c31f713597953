import { afterEach, expect, test, vi } from "vitest";
import SecondLooks, { type Looked } from "./second-looks.ts";

afterEach(() => vi.restoreAllMocks());

const ended = (fullName: string, retryCount: number, state: "passed" | "failed") =>
  ({
    fullName,
    module: { relativeModuleId: "tests/web/some.test.ts" },
    diagnostic: () => ({ retryCount }),
    result: () => ({ state }),
  }) as unknown as Looked;

test("a test that passed only when it was run again is named, and nothing else is", () => {
  const said = vi.spyOn(console, "log").mockImplementation(() => {});
  const reporter = new SecondLooks();
  reporter.onTestCaseResult(ended("steady", 0, "passed"));
  reporter.onTestCaseResult(ended("shaky", 1, "passed"));
  reporter.onTestCaseResult(ended("broken", 1, "failed"));
  reporter.onTestRunEnd();
  expect(said.mock.calls).toEqual([["passed only at the second look: tests/web/some.test.ts > shaky"]]);
});
