import type { Workspace } from "#contract/workspaces.ts";
import { Section } from "../../components/section.tsx";
import css from "./settings.module.css";

/** For those who may not change it: what the workspace is called and where it is. */
export function FactsSection({ workspace }: { workspace: Workspace }) {
  return (
    <Section title="General" text="Owners and administrators can change this.">
      <dl className={css.facts}>
        <dt>Business name</dt>
        <dd>{workspace.name}</dd>
        <dt>Custom subdomain</dt>
        <dd>{workspace.subdomain}</dd>
        <dt>Business website</dt>
        <dd>{workspace.origin ?? "–"}</dd>
      </dl>
    </Section>
  );
}
