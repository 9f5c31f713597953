import type { Workspace } from "#contract/workspaces.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Section } from "../../components/section.tsx";
import { paths } from "../../lib/paths.ts";

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
