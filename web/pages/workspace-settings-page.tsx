import { version } from "#contract/version.ts";
import { PageTitle } from "../ui/page-title.tsx";
import { DomainSection } from "../features/domains/domain-section.tsx";
import { BackupSection } from "../features/backups/backup-section.tsx";
import { ReportSection } from "../features/reports/report-section.tsx";
import { DeleteSection } from "../features/workspace-settings/delete-section.tsx";
import { ExportSection } from "../features/workspace-settings/export-section.tsx";
import { FactsSection, GeneralSection } from "../features/workspace-settings/general-section.tsx";
import { TransferOwnershipSection } from "../features/workspace-settings/transfer-ownership-section.tsx";
import { HouseStyleSection } from "../features/workspace-settings/house-style-section.tsx";
import { LeaveSection } from "../features/workspace-settings/leave-section.tsx";
import { OriginsSection } from "../features/workspace-settings/origins-section.tsx";
import { AppearanceSection, AuditSection, ImportSection } from "../features/workspace-settings/page-links.tsx";
import { ReviewSection } from "../features/workspace-settings/review-section.tsx";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import css from "./settings-page.module.css";

/** Source: product decision 18. */
export function Component() {
  const { workspace, role } = useCurrentWorkspace();
  const isOwner = role === "owner";
  return (
    <div key={workspace.id} className={css.page}>
      <PageTitle title="Workspace settings" subtitle={workspace.name} context={workspace.name} />
      <div className={css.sections}>
        {isOwner || role === "admin" ? (
          <>
            <GeneralSection workspace={workspace} />
            <AppearanceSection workspace={workspace} />
            <DomainSection workspace={workspace} />
            <OriginsSection workspace={workspace} />
            <ImportSection workspace={workspace} />
            <ReportSection workspace={workspace} />
            <ReviewSection workspaceId={workspace.id} owns={isOwner} />
            <HouseStyleSection workspaceId={workspace.id} writes />
            <AuditSection workspace={workspace} />
          </>
        ) : (
          <>
            <FactsSection workspace={workspace} />
            <HouseStyleSection workspaceId={workspace.id} writes={false} />
          </>
        )}
        {isOwner ? (
          <>
            <TransferOwnershipSection workspace={workspace} />
            <ExportSection workspace={workspace} />
            <BackupSection workspace={workspace} />
            <DeleteSection workspace={workspace} />
          </>
        ) : (
          <LeaveSection workspace={workspace} />
        )}
      </div>
      <footer className={css.version}>Tidings {version}</footer>
    </div>
  );
}
