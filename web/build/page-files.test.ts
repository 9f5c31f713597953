import path from "node:path";
import { expect, test } from "vitest";
import { pageFiles } from "./page-files.ts";

const web = path.resolve(import.meta.dirname, "..");
const at = (file: string): string => path.join(web, file);

const imports: Record<string, string[]> = {
  "start.ts": ["lib/trusted-types.ts", "lib/cookie.ts"],
  "main.tsx": ["lib/paths.ts", "lib/cookie.ts"],
  "pages/auth-page.tsx": ["lib/api.ts", "features/sign-in.ts"],
  "pages/join-page.tsx": ["lib/api.ts", "lib/person.ts", "features/invitation.ts"],
  "app/signed-in.tsx": ["lib/api.ts", "lib/person.ts", "lib/guard.ts"],
  "app/workspace-layout.tsx": ["lib/paths.ts", "lib/guard.ts", "app/sidebar.tsx"],
  "pages/dashboard-page.tsx": ["app/sidebar.tsx", "features/rows.tsx"],
  "pages/edit-post-page.tsx": ["features/rows.tsx", "features/editor.ts", "features/picker.tsx"],
  "pages/widget-page.tsx": ["features/picker.tsx"],
};
const graph = { getModuleInfo: (id: string) => ({ importedIds: (imports[path.relative(web, id)] ?? []).map(at) }) };
const fileOf = pageFiles();

test.each([
  ["lib/cookie.ts", "start-base", "needed before the app"],
  ["lib/trusted-types.ts", null, "code that must run first"],
  ["lib/paths.ts", "base", "shared by sign-in and signed-in pages"],
  ["lib/api.ts", "base", "shared by sign-in and signed-in pages"],
  ["features/sign-in.ts", null, "sign-in only"],
  ["lib/person.ts", "outside", "shared by guest and signed-in pages"],
  ["features/invitation.ts", null, "guest pages only"],
  ["lib/guard.ts", "signed-in", "needed by every signed-in page"],
  ["app/sidebar.tsx", "frame", "needed by every workspace page"],
  ["features/rows.tsx", "lists", "shared by dashboard and posts"],
  ["features/editor.ts", "posts", "posts only"],
  ["features/picker.tsx", null, "shared by posts and other pages"],
  ["features/unknown.ts", null, "not imported by any page"],
])("pageFiles puts %s in %s: %s", (file, name, _why) => {
  expect(fileOf(at(file), graph)).toBe(name);
});

test("pageFiles fails the build when a page has moved", () => {
  expect(() => pageFiles()(at("main.tsx"), { getModuleInfo: () => null })).toThrow("see web/build/page-files.ts");
});
