import { PageTitle } from "../components/page-title.tsx";
import { FormLink } from "../features/subscribers/form-link.tsx";
import { HeldNotice } from "../features/subscribers/held-notice.tsx";
import { MailCheckSection } from "../features/subscribers/mail-check-section.tsx";
import { MailSection } from "../features/subscribers/mail-section.tsx";
import { Numbers } from "../features/subscribers/numbers.tsx";
import { SubscriberList } from "../features/subscribers/subscriber-list.tsx";
import { useSubscriberNumbers } from "../features/subscribers/use-subscribers.ts";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import css from "./subscribers-page.module.css";

/** Readers who get mails. Owners and admins see who, and settle how; everybody else sees how many. */
export function Component() {
  const { workspace, role } = useCurrentWorkspace();
  const { mutate: countAgain } = useSubscriberNumbers(workspace.id);
  const manages = role !== "editor" && role !== "viewer"; // unknown: the server decides
  return (
    <div key={workspace.id} className={css.page}>
      <PageTitle title="Subscribers" subtitle="Readers who hear of what is new by mail" context={workspace.name} />
      <HeldNotice workspaceId={workspace.id} />
      <FormLink workspace={workspace} />
      <Numbers workspaceId={workspace.id} />
      {manages ? (
        <>
          <SubscriberList workspaceId={workspace.id} onChanged={() => void countAgain()} />
          <MailSection workspaceId={workspace.id} />
          <MailCheckSection workspaceId={workspace.id} />
        </>
      ) : (
        <p>Owners and administrators see who they are.</p>
      )}
    </div>
  );
}
