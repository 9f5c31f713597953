import { writeFileSync } from "node:fs";
import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** Fails a run in which every test passed: writes each uncaught error to the file that UNHANDLED_ERRORS names. */
export default class UnhandledErrors implements Reporter {
  onTestRunEnd(_: ReadonlyArray<TestModule>, errors: ReadonlyArray<SerializedError>): void {
    const file = process.env.UNHANDLED_ERRORS;
    if (file !== undefined && errors.length > 0) writeFileSync(file, JSON.stringify(errors.map(lineOf)));
  }
}

/** The error's test, if Vitest knows it, and the first line of our code in the stack. */
function lineOf({ name, message, stack = "", ...known }: SerializedError): string {
  const where = known.VITEST_TEST_NAME ?? known.VITEST_TEST_PATH ?? "outside of any test";
  const at = stack.split("\n").find((line) => /^\s*at /.test(line) && !/node:|node_modules/.test(line));
  return `${String(where)}: unhandled ${name ?? "error"}: ${message.split("\n", 1)[0]}${at === undefined ? "" : ` ${at.trim()}`}`;
}
