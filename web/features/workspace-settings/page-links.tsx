import type { Workspace } from "#contract/workspaces.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Section } from "../../components/section.tsx";
import { paths } from "../../lib/paths.ts";

// Sections that lead to a page of its own.

/** The way to the page on which the look is chosen: who looks for colours looks in the settings first. */
export function AppearanceSection({ workspace }: { workspace: Workspace }) {
  return (
    <Section title="Appearance" text="Colours, typeface, header links and language of your page, widget and mails.">
      <ButtonLink to={paths.appearance(workspace.id)} icon="palette">
        Change the appearance
      </ButtonLink>
    </Section>
  );
}

/** The way to the page on which posts of another product come in. */
export function ImportSection({ workspace }: { workspace: Workspace }) {
  return (
    <Section title="Import" text="Bring posts along from another product or a file, with their dates, pictures and addresses.">
      <ButtonLink to={paths.importPosts(workspace.id)} icon="upload">
        Import posts
      </ButtonLink>
    </Section>
  );
}

/** For owners and admins: the way to the log. */
export function AuditSection({ workspace }: { workspace: Workspace }) {
  return (
    <Section
      title="Audit log"
      text="Sign-ins, roles, keys, webhooks, exports, settings and publications: who, when and from which network."
    >
      <ButtonLink to={paths.audit(workspace.id)} icon="shield">
        Open the audit log
      </ButtonLink>
    </Section>
  );
}
