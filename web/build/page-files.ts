import { globSync } from "node:fs";
import path from "node:path";

/** Of the build's view of a module as much as is asked here. */
interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

const web = path.resolve(import.meta.dirname, "..");

const posts = ["features/posts/page/changelog-layout.tsx", "pages/changelog-page.tsx", "pages/edit-post-page.tsx"];
/** Of readers, guests and whoever is on the way in. */
const outside = ["join", "report", "confirm", "auth-callback", "sign-out", "forgot-password", "not-found"].map(
  (name) => `pages/${name}-page.tsx`,
);
const pages = globSync("pages/*-page.tsx", { cwd: web }).filter((file) => !posts.includes(file));

const sets = {
  /** Must run before any other module: they say what a script may write, and that zod makes no code. */
  first: ["lib/trusted-types.ts", "lib/zod-without-eval.ts"],
  anybody: ["main.tsx", "pages/auth-page.tsx"],
  outside,
  signedIn: ["app/signed-in.tsx"],
  frame: ["app/workspace-layout.tsx"],
  dashboard: ["pages/dashboard-page.tsx"],
  posts,
  others: pages,
};

/**
 * What pages have in common in a few files, in place of a hundred small ones: each is asked for, answered, checked and compiled by itself, which
 * for most of them costs more than what is in them. Who signs in loads nothing more than before.
 */
export function pageFiles(): (id: string, graph: ModuleGraph) => string | null {
  let of: Record<keyof typeof sets, ReadonlySet<string>> | undefined;
  return (id, graph) => {
    of ??= Object.fromEntries(
      Object.entries(sets).map(([name, files]) => [
        name,
        reached(
          files.map((file) => path.join(web, file)),
          graph,
        ),
      ]),
    ) as NonNullable<typeof of>;
    const inside = of.signedIn.has(id) || of.frame.has(id);
    if (of.first.has(id) || (of.anybody.has(id) && inside)) return "base";
    if (of.anybody.has(id)) return null;
    if (of.outside.has(id)) return inside ? "outside" : null;
    if (of.signedIn.has(id)) return "signed-in";
    if (of.frame.has(id)) return "frame";
    if (!of.posts.has(id)) return null;
    if (of.dashboard.has(id)) return "lists";
    return of.others.has(id) ? null : "posts";
  };
}

/** The modules and whatever they import, but what is only asked for later. */
function reached(ids: string[], graph: ModuleGraph): ReadonlySet<string> {
  const found = new Set<string>();
  for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    const module = graph.getModuleInfo(id);
    if (!module) throw new Error(`The build knows no ${id}: see web/build/page-files.ts`);
    ids.push(...module.importedIds);
  }
  return found;
}
