import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** Files other features may import; shared code otherwise lives in web/ui or web/lib. */
const open = new Set([
  "add-ons/add-on-labels.ts",
  "add-ons/use-add-ons.ts",
  "analytics/post/post-views.tsx",
  "auth/bot-check-widget.tsx",
  "auth/new-password-field.tsx",
  "auth/use-bot-check.ts",
  "backups/backup-labels.ts",
  "developers/scope-labels.ts",
  "developers/scope-list.tsx",
  "imports/source-labels.ts",
  "editor/upload-image.ts",
  "history/version-comparison.tsx",
  "posts/post-calls.ts",
  "posts/post-events.ts",
  "posts/publishing/preview-dialog.tsx",
  "posts/tags/tags.ts",
  "posts/tags/use-tags.ts",
  "account/person-page.tsx",
  "account/profile.ts",
  "account/session-ended-dialog.tsx",
  "account/use-sign-out.ts",
  "second-factor/code-form.tsx",
  "team/role-names.ts",
  "widget-settings/preview-frame.ts",
  "widget-settings/use-preview.ts",
  "workspace-settings/use-update-workspace.ts",
  "workspaces/back-to-workspace.tsx",
  "workspaces/current-workspace.tsx",
  "workspaces/switch-dialog.tsx",
  "workspaces/use-workspaces.ts",
]);

/** The features of the changelog area are parts of one page and import one another freely. */
const changelogArea = new Set(["comments", "editor", "history", "posts", "presence", "review", "session"]);

const feature = (file: string): string => {
  const name = file.split("/")[0]!;
  return changelogArea.has(name) ? "changelog area" : name;
};

/** Imports across features, including lazy ones and styles. */
const across = globSync("**/*.{ts,tsx,css}", { cwd: import.meta.dirname })
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .flatMap((file) =>
    [
      ...readFileSync(path.join(import.meta.dirname, file), "utf8").matchAll(
        /(?:\bfrom|\bimport|\bimport\(|new URL\()\s*["'](\.[^"'\n]+)["']/g,
      ),
    ]
      .map(([, target]) => path.join(path.dirname(file), target!.replace(/\?.*$/, "")))
      .filter((target) => !target.startsWith("..") && feature(target) !== feature(file))
      .map((target) => ({ file, target })),
  );

test("features import only open files of other features", () => {
  expect(across.filter(({ target }) => !open.has(target)).map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
});

test("every open file is imported by another feature", () => {
  expect([...open].filter((file) => !across.some(({ target }) => target === file))).toEqual([]);
});
