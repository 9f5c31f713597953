import type { Workspace } from "#contract/workspaces.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Section } from "../../components/section.tsx";
import { paths } from "../../lib/paths.ts";

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
