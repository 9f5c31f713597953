import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { usePageTitle } from "../lib/use-page-title.ts";

/** Until the add-on has its own page. Source: specification, section 2; product decision 8. */
export function Component() {
  usePageTitle("Analytics", useCurrentWorkspace().workspace.name);
  return (
    <>
      <h1 className="visually-hidden">Analytics</h1>
      <p>analytics works!</p>
    </>
  );
}
