import type { Reporter, TestCase } from "vitest/node";

/** What the reporter needs of a test that has ended. */
export type Looked = Pick<TestCase, "fullName" | "diagnostic" | "result"> & { module: Pick<TestCase["module"], "relativeModuleId"> };

/** Names every test that passed only when it was run again, so that a second look hides nothing. */
export default class SecondLooks implements Reporter {
  readonly #tests: string[] = [];

  onTestCaseResult(test: Looked): void {
    const count = test.diagnostic()?.retryCount ?? 0;
    if (count > 0 && test.result().state === "passed") this.#tests.push(`${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestRunEnd(): void {
    for (const name of this.#tests) console.log(`passed only at the second look: ${name}`);
  }
}
