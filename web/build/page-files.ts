import { globSync } from "node:fs";
import path from "node:path";

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

const web = path.resolve(import.meta.dirname, "..");

const posts = ["features/editor/page/changelog-layout.tsx", "pages/changelog-page.tsx", "pages/edit-post-page.tsx"];
const outside = ["join", "report", "confirm", "auth-callback", "sign-out", "forgot-password", "not-found"].map(
  (name) => `pages/${name}-page.tsx`,
);
const pages = globSync("pages/*-page.tsx", { cwd: web }).filter((file) => !posts.includes(file));

const sets = {
  /** Runs before any other module: Trusted Types policy and zod's configuration. */
  start: ["start.ts"],
  /** Small, and on nearly every page. */
  fields: ["ui/checkbox.tsx", "ui/field-frame.tsx", "ui/input.tsx"],
  entry: ["main.tsx", "pages/auth-page.tsx"],
  outside,
  signedIn: ["app/signed-in.tsx"],
  frame: ["app/workspace-layout.tsx"],
  dashboard: ["pages/dashboard-page.tsx"],
  posts,
  others: pages,
};

/** Chunk name of a module. A few shared chunks replace a hundred small ones, whose requests cost more than their content; sign-in loads no more than before. */
export function pageFiles(): (id: string, graph: ModuleGraph) => string | null {
  let reachable: Record<keyof typeof sets, ReadonlySet<string>> | undefined;
  return (id, graph) => {
    reachable ??= Object.fromEntries(
      Object.entries(sets).map(([name, files]) => [
        name,
        importsOf(
          files.map((file) => path.join(web, file)),
          graph,
        ),
      ]),
    ) as NonNullable<typeof reachable>;
    if (reachable.start.has(id)) return reachable.entry.has(id) ? "start-base" : null;
    const inside = reachable.signedIn.has(id) || reachable.frame.has(id);
    if (reachable.fields.has(id) || (reachable.entry.has(id) && inside)) return "base";
    if (reachable.entry.has(id)) return null;
    if (reachable.outside.has(id)) return inside ? "outside" : null;
    if (reachable.signedIn.has(id)) return "signed-in";
    if (reachable.frame.has(id)) return "frame";
    if (!reachable.posts.has(id)) return null;
    if (reachable.dashboard.has(id)) return "lists";
    return reachable.others.has(id) ? null : "posts";
  };
}

function importsOf(ids: string[], graph: ModuleGraph): ReadonlySet<string> {
  const visited = new Set<string>();
  for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
    if (visited.has(id)) continue;
    visited.add(id);
    const module = graph.getModuleInfo(id);
    if (!module) throw new Error(`Module ${id} not found: see web/build/page-files.ts`);
    ids.push(...module.importedIds);
  }
  return visited;
}
