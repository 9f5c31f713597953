import type { Workspace } from "#contract/workspaces.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Section } from "../../components/section.tsx";
import { paths } from "../../lib/paths.ts";

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
