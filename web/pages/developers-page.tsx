import { PageTitle } from "../components/page-title.tsx";
import { KeysSection } from "../features/developers/keys-section.tsx";
import { TrySection } from "../features/developers/try-section.tsx";
import { WebhooksSections } from "../features/developers/webhooks-section.tsx";
import { Icon } from "../components/icon.tsx";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import css from "./developers-page.module.css";

/** For owners and admins: what other programs may do here, and what they are told. */
export function Component() {
  const { workspace, role } = useCurrentWorkspace();
  const manages = role !== "editor" && role !== "viewer"; // unknown: the server decides
  return (
    <div key={workspace.id} className={css.page}>
      <PageTitle
        title="Developers"
        subtitle="Let your release pipeline write, and other programs and chats hear of it"
        context={workspace.name}
        action={
          <a href="/developers" target="_blank" rel="noreferrer">
            API reference <Icon name="external-link" />
          </a>
        }
      />
      {manages ? (
        <>
          <KeysSection workspaceId={workspace.id} />
          <WebhooksSections workspaceId={workspace.id} />
          <TrySection workspace={workspace} />
        </>
      ) : (
        <p>Owners and administrators make keys and webhooks.</p>
      )}
    </div>
  );
}
