import { auditDays } from "#contract/audit.ts";
import { PageTitle } from "../components/page-title.tsx";
import { AuditLog } from "../features/audit/audit-log.tsx";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import css from "./subscribers-page.module.css";

/** For owners and admins: what matters for the safety of a workspace. */
export function Component() {
  const { workspace, role } = useCurrentWorkspace();
  const manages = role !== "editor" && role !== "viewer"; // unknown: the server decides
  return (
    <div key={workspace.id} className={css.page}>
      <PageTitle
        title="Audit log"
        subtitle={`Who did what, when and from which network. Nobody can change a line; each is kept for ${auditDays} days.`}
        context={workspace.name}
      />
      {manages ? <AuditLog workspaceId={workspace.id} /> : <p>Owners and administrators see it.</p>}
    </div>
  );
}
