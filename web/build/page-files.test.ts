import path from "node:path";
import { expect, test } from "vitest";
import { pageFiles } from "./page-files.ts";

const web = path.resolve(import.meta.dirname, "..");
const at = (file: string): string => path.join(web, file);

/** A small app: what each page imports; a page that is not named imports nothing. */
const imports: Record<string, string[]> = {
  "main.tsx": ["lib/trusted-types.ts", "lib/paths.ts"],
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
  ["lib/trusted-types.ts", "base", "what must run first is in the first file"],
  ["lib/paths.ts", "base", "what who signs in loads as well as who is signed in"],
  ["lib/api.ts", "base", "the same"],
  ["features/sign-in.ts", null, "what is loaded to sign in alone"],
  ["lib/person.ts", "outside", "what guests load as well as who is signed in"],
  ["features/invitation.ts", null, "what guests load alone"],
  ["lib/guard.ts", "signed-in", "what every page behind the sign-in needs"],
  ["app/sidebar.tsx", "frame", "what is around each page of a workspace"],
  ["features/rows.tsx", "lists", "what the dashboard has as well as the posts"],
  ["features/editor.ts", "posts", "what posts have alone"],
  ["features/picker.tsx", null, "what other pages take of posts: they load no editor for it"],
  ["features/unknown.ts", null, "what none of these pages has"],
])("%s is in %s: %s", (file, name, _why) => {
  expect(fileOf(at(file), graph)).toBe(name);
});

test("a page that has moved stops the build", () => {
  expect(() => pageFiles()(at("main.tsx"), { getModuleInfo: () => null })).toThrow("see web/build/page-files.ts");
});
