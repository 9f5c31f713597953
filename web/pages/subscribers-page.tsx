import { PageTitle } from "../components/page-title.tsx";
import { MailSection } from "../features/subscribers/mail-section.tsx";
import { Numbers } from "../features/subscribers/numbers.tsx";
import { SubscriberList } from "../features/subscribers/subscriber-list.tsx";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import css from "./team-page.module.css";

/** Readers who get mails. Owners and admins see who, and settle how; everybody else sees how many. */
export function Component() {
  const { workspace, role } = useCurrentWorkspace();
  const manages = role !== "editor" && role !== "viewer"; // unknown: the server decides
  return (
    <div key={workspace.id} className={css.page}>
      <PageTitle title="Subscribers" subtitle="Readers who hear of what is new by mail" context={workspace.name} />
      <Numbers workspaceId={workspace.id} />
      {manages ? (
        <>
          <SubscriberList workspaceId={workspace.id} />
          <MailSection workspaceId={workspace.id} />
        </>
      ) : (
        <p>Owners and administrators see who they are.</p>
      )}
    </div>
  );
}
