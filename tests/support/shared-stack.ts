import type { TestProject } from "vitest/node";
import { type RunningStack, type StackInfo, startStack, toPrivate } from "./stack.ts";

declare module "vitest" {
  interface ProvidedContext {
    stack: StackInfo;
  }
}

const shared = ((globalThis as { tidingsStack?: { stack: Promise<RunningStack> | null; users: number } }).tidingsStack ??= {
  stack: null,
  users: 0,
});

/** Vitest's globalSetup: starts one stack for all projects that need it; tests read it by inject("stack"). */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.users += 1;
  shared.stack ??= startStack({ seed: "none", env: { TIDINGS_RATE_LIMIT_SCALE: "1000", ...toPrivate } });
  const { stop, ...info } = await shared.stack;
  project.provide("stack", info);
  return async () => {
    shared.users -= 1;
    if (shared.users === 0) await stop();
  };
}
