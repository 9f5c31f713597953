import type { TestProjectConfiguration } from "vitest/config";

/** Whoever waits for something to come true waits as patiently: one second, as Vitest has it, is short where others compute. */
const expect = { poll: { timeout: 10_000 } };

/**
 * One process for all files of a project: starting one for each, and reading what they import anew, costs as much as what is in them. So modules
 * keep what they hold from one file to the next: what a file opens or changes it closes and changes back; what Vitest has replaced for it goes by itself.
 */
const shared = { isolate: false, setupFiles: ["tests/support/leave-as-found.ts"] };

/** Tests that need the running product share one stack. */
const withStack = (name: string, more: Partial<typeof shared> = {}): TestProjectConfiguration => ({
  test: {
    name,
    include: [`tests/${name}/**/*.test.ts`],
    globalSetup: ["tests/support/shared-stack.ts"],
    expect,
    testTimeout: 180_000, // what takes seconds alone takes a minute beside everything else; what waits in vain has its own limits
    hookTimeout: 60_000,
    ...more,
  },
});

/** Whose unit tests stand beside the code and need no browser. */
const units = ["contract", "importers", "edge-functions", "supabase", "scripts", "docs", "cli", "action"];

/**
 * Of the client, what is pure: it runs without a page, as making one takes a second of a core for each file. What is not named here gets one all
 * the same.
 */
const pureOfWeb = [
  "web/**/machine.test.ts",
  "web/build/*.test.ts",
  "web/features/analytics/numbers-rules.test.ts",
  "web/features/appearance/values.test.ts",
  "web/features/auth/{after-sign-in,mail-provider}.test.ts",
  "web/features/imports/{import-store,preview}.test.ts",
  "web/features/posts/posts-rules.test.ts",
  "web/features/posts/comments/{comment-list,mentions,place-threads}.test.ts",
  "web/features/posts/conflict/merge-questions.test.ts",
  "web/features/posts/editor/showing.test.ts",
  "web/features/posts/list/neighbours.test.ts",
  "web/features/posts/presence/people-of-blocks.test.ts",
  "web/features/posts/search/command.test.ts",
  "web/features/posts/session/{drafts,visits,write}.test.ts",
  "web/features/posts/toolbar/use-toolbar-room.test.ts",
  "web/features/profile-settings/device-name.test.ts",
  "web/features/rooms.test.ts",
  "web/lib/{api-client,member-cookie}.test.ts",
];

/** The units run beside the tests on a stack, and after them: on a busy machine what computes for a second takes ten. What hangs is still found. */
const patient = { testTimeout: 120_000, hookTimeout: 60_000 };

export const projects: TestProjectConfiguration[] = [
  { test: { name: "units", include: [...units.map((folder) => `${folder}/**/*.test.ts`), ...pureOfWeb], expect, ...patient, ...shared } },
  {
    test: {
      name: "web",
      include: ["web/**/*.test.{ts,tsx}"],
      exclude: pureOfWeb,
      environment: "jsdom",
      setupFiles: ["tests/support/web/setup.ts"],
      expect,
      ...patient,
    },
  },
  { test: { name: "widget", include: ["widget/**/*.test.ts"], environment: "jsdom", expect, ...patient } },
  withStack("database", shared),
  withStack("api", shared),
  withStack("peers"), // `npm run peers` alone
  { test: { name: "image", include: ["tests/image/**/*.test.ts"], expect, testTimeout: 300_000, hookTimeout: 300_000 } }, // as above
  // each of these starts, kills and counts on stacks of its own, one after the other
  {
    test: {
      name: "faults",
      include: ["tests/faults/**/*.test.ts"],
      fileParallelism: false,
      expect,
      testTimeout: 300_000, // six starts with a disk that is waited for, on a busy machine
      hookTimeout: 120_000,
    },
  },
];
