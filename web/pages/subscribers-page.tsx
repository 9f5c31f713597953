import { PageTitle } from "../ui/page-title.tsx";
import { FormLink } from "../features/subscribers/form-link.tsx";
import { HeldNotice } from "../features/subscribers/held-notice.tsx";
import { Numbers } from "../features/subscribers/numbers.tsx";
import { SubscriberList } from "../features/subscribers/subscriber-list.tsx";
import { useSubscriberNumbers } from "../features/subscribers/use-subscribers.ts";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { Stack } from "../ui/layout.tsx";

/** Owners and admins manage subscribers; other members see their number. */
export function Component() {
  const { workspace, role } = useCurrentWorkspace();
  const { mutate: refreshCounts } = useSubscriberNumbers(workspace.id);
  const manages = role !== "editor" && role !== "viewer"; // role unknown: the server checks
  return (
    <Stack key={workspace.id} gap={8}>
      <PageTitle title="Subscribers" subtitle="People who get your updates by email" context={workspace.name} />
      <HeldNotice workspaceId={workspace.id} />
      <FormLink workspace={workspace} />
      <Numbers workspaceId={workspace.id} />
      {manages ? (
        <SubscriberList workspaceId={workspace.id} onChanged={() => void refreshCounts()} />
      ) : (
        <p>Only owners and admins can see the list.</p>
      )}
    </Stack>
  );
}
