import type { ReactNode } from "react";
import { Navigate, useLocation, useNavigate } from "react-router-dom";
import type { Role } from "#contract/kinds.ts";
import { version } from "#contract/version.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { AssistantsSection } from "../features/assistants/assistants-section.tsx";
import { PlanSection } from "../features/add-ons/plan-section.tsx";
import { BackupSection } from "../features/backups/backup-section.tsx";
import { KeysSection } from "../features/developers/keys-section.tsx";
import { TrySection } from "../features/developers/try-section.tsx";
import { ChatSection, WebhooksSection } from "../features/developers/webhooks-section.tsx";
import { DomainSection } from "../features/domains/domain-section.tsx";
import { TagList } from "../features/posts/tags/tag-manager.tsx";
import { TemplateList } from "../features/posts/templates/templates-dialog.tsx";
import { ReportSection } from "../features/reports/report-section.tsx";
import { EmailDomainsSection } from "../features/single-sign-on/email-domains-section.tsx";
import { ProviderSection } from "../features/single-sign-on/provider-section.tsx";
import { MailCheckSection } from "../features/subscribers/mail-check-section.tsx";
import { MailSection } from "../features/subscribers/mail-section.tsx";
import { AccessSection } from "../features/workspace-settings/access-section.tsx";
import { DeleteSection } from "../features/workspace-settings/delete-section.tsx";
import { ExportSection } from "../features/workspace-settings/export-section.tsx";
import { FactsSection, GeneralSection } from "../features/workspace-settings/general-section.tsx";
import { HouseStyleSection } from "../features/workspace-settings/house-style-section.tsx";
import { LeaveSection } from "../features/workspace-settings/leave-section.tsx";
import { ReviewSection } from "../features/workspace-settings/review-section.tsx";
import { SecuritySection } from "../features/workspace-settings/security-section.tsx";
import { TransferOwnershipSection } from "../features/workspace-settings/transfer-ownership-section.tsx";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { paths, type SettingsPage } from "../lib/paths.ts";
import { Note, Stack } from "../ui/layout.tsx";
import { PageTitle } from "../ui/page-title.tsx";
import { PageContext, Section } from "../ui/section.tsx";

/** Settings pages of a workspace. Source: product decision 18. */

const admins: readonly Role[] = ["owner", "admin"];

interface PageProps {
  /** Heading of a page with several sections. A single section has its own. */
  title?: string;
  roles?: readonly Role[];
  children: (workspace: Workspace, role: Role | null) => ReactNode;
  /** Below the single section. */
  below?: (workspace: Workspace, role: Role | null) => ReactNode;
}

function Page({ title, roles, children, below }: PageProps) {
  const { workspace, role } = useCurrentWorkspace();
  const isAllowed = roles === undefined || role === null || roles.includes(role);
  return (
    <div key={workspace.id} style={{ maxWidth: "60rem" }}>
      {!isAllowed ? (
        <>
          <PageTitle title={title ?? "Settings"} context={workspace.name} />
          <p>{roles.length === 1 ? "Only the owner can see this page." : "Only owners and admins can see this page."}</p>
        </>
      ) : title === undefined ? (
        <Stack gap={below ? 12 : 0}>
          <div>
            <PageContext value={workspace.name}>{children(workspace, role)}</PageContext>
          </div>
          {below?.(workspace, role)}
        </Stack>
      ) : (
        <Stack gap={8}>
          <PageTitle title={title} subtitle={workspace.name} context={workspace.name} />
          <div>{children(workspace, role)}</div>
        </Stack>
      )}
    </div>
  );
}

/** Addresses from before each page had its own. */
const formerAnchors: Readonly<Record<string, SettingsPage>> = {
  "#reports": "email",
  "#backup": "backup",
  "#domain": "domain",
  "#review": "approvals",
};

export function General() {
  const { workspace } = useCurrentWorkspace();
  const former = formerAnchors[useLocation().hash];
  if (former) return <Navigate to={paths.settings(workspace.id, former)} replace />;
  return (
    <Page title="Workspace settings">
      {(workspace, role) => (
        <>
          {role !== null && admins.includes(role) ? <GeneralSection workspace={workspace} /> : <FactsSection workspace={workspace} />}
          <Note as="footer">Tidings {version}</Note>
        </>
      )}
    </Page>
  );
}

export const Approvals = () => (
  <Page roles={admins}>{(workspace, role) => <ReviewSection workspaceId={workspace.id} owns={role === "owner"} />}</Page>
);

export const Security = () => (
  <Page title="Security" roles={admins}>
    {({ id: workspaceId }, role) => {
      const props = { workspaceId, isOwner: role === "owner" };
      return (
        <>
          <SecuritySection {...props} />
          <EmailDomainsSection {...props} />
          <ProviderSection {...props} />
        </>
      );
    }}
  </Page>
);

export function Tags() {
  const { canWrite } = useCurrentWorkspace();
  return (
    <Page>
      {(workspace) => (
        <Section title="Tags" text="Changes apply to every post, including published ones.">
          <TagList workspaceId={workspace.id} canWrite={canWrite} />
        </Section>
      )}
    </Page>
  );
}

export function Templates() {
  const navigate = useNavigate();
  return (
    <Page roles={["owner", "admin", "editor"]}>
      {(workspace) => (
        <Section title="Templates" text="Starting points for posts. Choose one to begin a new post.">
          <TemplateList workspaceId={workspace.id} onChoose={({ id }) => void navigate(paths.newPostFrom(workspace.id, id))} />
        </Section>
      )}
    </Page>
  );
}

export const Access = () => <Page roles={admins}>{(workspace) => <AccessSection workspaceId={workspace.id} />}</Page>;

export const Domain = () => <Page roles={admins}>{(workspace) => <DomainSection workspace={workspace} />}</Page>;

export const Email = () => (
  <Page title="Email" roles={admins}>
    {(workspace) => (
      <>
        <MailSection workspaceId={workspace.id} />
        <MailCheckSection workspaceId={workspace.id} />
        <ReportSection workspace={workspace} />
      </>
    )}
  </Page>
);

export const ApiKeys = () => (
  <Page roles={admins} below={(workspace) => <TrySection workspace={workspace} />}>
    {(workspace) => <KeysSection workspaceId={workspace.id} />}
  </Page>
);

export const Webhooks = () => <Page roles={admins}>{(workspace) => <WebhooksSection workspaceId={workspace.id} />}</Page>;

export const Chat = () => <Page roles={admins}>{(workspace) => <ChatSection workspaceId={workspace.id} />}</Page>;

/** Members who don't manage the workspace see their own assistants. */
export const Assistants = () => (
  <Page below={(workspace, role) => <HouseStyleSection workspaceId={workspace.id} writes={role !== null && admins.includes(role)} />}>
    {(workspace, role) => <AssistantsSection workspaceId={workspace.id} manages={role === null || admins.includes(role)} />}
  </Page>
);

export const Export = () => <Page roles={["owner"]}>{(workspace) => <ExportSection workspace={workspace} />}</Page>;

export const Backup = () => <Page roles={["owner"]}>{(workspace) => <BackupSection workspace={workspace} />}</Page>;

export const Plan = () => (
  <Page roles={admins}>{(workspace, role) => <PlanSection workspaceId={workspace.id} isOwner={role === "owner"} />}</Page>
);

export const Danger = () => (
  <Page title="Danger zone">
    {(workspace, role) =>
      role === "owner" ? (
        <>
          <TransferOwnershipSection workspace={workspace} />
          <DeleteSection workspace={workspace} />
        </>
      ) : (
        <LeaveSection workspace={workspace} />
      )
    }
  </Page>
);
