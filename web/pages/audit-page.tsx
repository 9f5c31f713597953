import { auditDays } from "#contract/audit.ts";
import { PageTitle } from "../ui/page-title.tsx";
import { AuditLog } from "../features/audit/audit-log.tsx";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { Stack } from "../ui/layout.tsx";

/** For owners and admins. */
export function Component() {
  const { workspace, role } = useCurrentWorkspace();
  const manages = role !== "editor" && role !== "viewer"; // role unknown: the server checks
  return (
    <Stack key={workspace.id} gap={8}>
      <PageTitle
        title="Audit log"
        subtitle={`Who did what, when and from where. Entries can't be edited and are kept for ${auditDays} days.`}
        context={workspace.name}
      />
      {manages ? <AuditLog workspaceId={workspace.id} /> : <p>Only owners and admins can see the audit log.</p>}
    </Stack>
  );
}
