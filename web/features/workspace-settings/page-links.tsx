import type { Workspace } from "#contract/workspaces.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Section } from "../../ui/section.tsx";
import { paths } from "../../lib/paths.ts";

export function AppearanceSection({ workspace }: { workspace: Workspace }) {
  return (
    <Section title="Appearance" text="Colours, typeface, header links and language of your page, widget and emails.">
      <ButtonLink to={paths.appearance(workspace.id)} icon="palette">
        Edit appearance
      </ButtonLink>
    </Section>
  );
}

export function ImportSection({ workspace }: { workspace: Workspace }) {
  return (
    <Section title="Import" text="Import posts from another tool or a file, with dates, images and URLs.">
      <ButtonLink to={paths.importPosts(workspace.id)} icon="upload">
        Import posts
      </ButtonLink>
    </Section>
  );
}

export function AuditSection({ workspace }: { workspace: Workspace }) {
  return (
    <Section title="Audit log" text="See who changed roles, keys, settings and posts, when and from where.">
      <ButtonLink to={paths.audit(workspace.id)} icon="shield">
        Open audit log
      </ButtonLink>
    </Section>
  );
}
