import type { TestProjectConfiguration } from "vitest/config";

/** Timeout of polling: Vitest's one second is too short on a busy machine. */
const expect = { poll: { timeout: 10_000 } };

/** One process for all files of a project, which halves the time. Modules keep their state between files, so each file restores what it changes. */
const shared = { isolate: false, setupFiles: ["tests/support/restore-mocks.ts"] };

const withStack = (name: string, more: Partial<typeof shared> = {}): TestProjectConfiguration => ({
  test: {
    name,
    include: [`tests/${name}/**/*.test.ts`],
    globalSetup: ["tests/support/shared-stack.ts"],
    expect,
    testTimeout: 180_000, // the timeout allows for a busy machine
    hookTimeout: 60_000,
    ...more,
  },
});

const units = ["contract", "importers", "edge-functions", "supabase", "scripts", "docs", "cli", "action"];

/** Pure modules of the client run without jsdom, which costs a second of CPU per file. Other files get one. */
const pureOfWeb = [
  "web/**/machine.test.ts",
  "web/build/*.test.ts",
  "web/features/analytics/numbers-rules.test.ts",
  "web/features/appearance/values.test.ts",
  "web/features/auth/{after-sign-in,mail-provider}.test.ts",
  "web/features/imports/{import-store,preview}.test.ts",
  "web/features/posts/posts-rules.test.ts",
  "web/features/comments/{comment-list,mentions,place-threads}.test.ts",
  "web/features/session/conflict/merge-questions.test.ts",
  "web/features/editor/showing.test.ts",
  "web/features/posts/list/neighbours.test.ts",
  "web/features/presence/people-of-blocks.test.ts",
  "web/features/posts/search/command.test.ts",
  "web/features/session/{drafts,visits,write}.test.ts",
  "web/features/editor/toolbar/use-toolbar-room.test.ts",
  "web/features/profile-settings/device-name.test.ts",
  "web/features/imports.test.ts",
  "web/lib/{api-client,member-cookie}.test.ts",
];

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
  withStack("peers"),
  { test: { name: "image", include: ["tests/image/**/*.test.ts"], expect, testTimeout: 300_000, hookTimeout: 300_000 } },
  {
    test: {
      name: "faults",
      include: ["tests/faults/**/*.test.ts"],
      fileParallelism: false,
      expect,
      testTimeout: 300_000,
      hookTimeout: 120_000,
    },
  },
];
