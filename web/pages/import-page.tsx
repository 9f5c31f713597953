import { PageTitle } from "../components/page-title.tsx";
import { ImportWork } from "../features/imports/import-work.tsx";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import css from "./subscribers-page.module.css";

/** For owners and admins: posts of another product, with their dates, pictures and addresses. */
export function Component() {
  const { workspace, role } = useCurrentWorkspace();
  const manages = role !== "editor" && role !== "viewer"; // unknown: the server decides
  return (
    <div key={workspace.id} className={css.page}>
      <PageTitle
        title="Import posts"
        subtitle="From another product or a file, with their dates, pictures and addresses"
        context={workspace.name}
      />
      {manages ? <ImportWork workspaceId={workspace.id} /> : <p>Owners and administrators bring posts along.</p>}
    </div>
  );
}
