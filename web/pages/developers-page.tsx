import { PageTitle } from "../ui/page-title.tsx";
import { AssistantsSection } from "../features/assistants/assistants-section.tsx";
import { KeysSection } from "../features/developers/keys-section.tsx";
import { TrySection } from "../features/developers/try-section.tsx";
import { WebhooksSections } from "../features/developers/webhooks-section.tsx";
import { Icon } from "../ui/icon.tsx";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { Row, Stack } from "../ui/layout.tsx";

/** Keys, assistants and webhooks. Members who don't manage the workspace see only their own assistants. */
export function Component() {
  const { workspace, role } = useCurrentWorkspace();
  const manages = role !== "editor" && role !== "viewer"; // role unknown: the server checks
  return (
    <Stack key={workspace.id} gap={12}>
      <PageTitle
        title="Developers"
        subtitle="Publish from CI, and send updates to your tools and chat"
        context={workspace.name}
        action={
          <Row as="a" href="/developers" target="_blank" rel="noreferrer">
            API reference <Icon name="external-link" />
          </Row>
        }
      />
      {manages ? (
        <>
          <KeysSection workspaceId={workspace.id} />
          <AssistantsSection workspaceId={workspace.id} manages />
          <WebhooksSections workspaceId={workspace.id} />
          <TrySection workspace={workspace} />
        </>
      ) : (
        <>
          <AssistantsSection workspaceId={workspace.id} manages={false} />
          <p>Owners and admins can create API keys and webhooks.</p>
        </>
      )}
    </Stack>
  );
}
