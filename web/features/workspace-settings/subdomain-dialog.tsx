import { z } from "zod";
import { subdomainMaxLength } from "#contract/limits.ts";
import { subdomain, type Workspace } from "#contract/workspaces.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { toasts } from "../../lib/toasts.ts";
import { useUpdateWorkspace } from "./use-update-workspace.ts";

const schema = z.object({ subdomain });

export function SubdomainDialog({ workspace, host, onClose }: { workspace: Workspace; host: string; onClose: () => void }) {
  const { changeSubdomain } = useUpdateWorkspace(workspace.id);
  return (
    <FormDialog
      title="Change the subdomain?"
      width="32rem"
      verb="Change subdomain"
      schema={schema}
      initialValues={{ subdomain: workspace.subdomain }}
      failure="Couldn't change the subdomain. Please try again later."
      onSubmit={async ({ subdomain }) => {
        await changeSubdomain(subdomain);
        toasts.success("Subdomain changed", `${workspace.subdomain}.${host} redirects for 30 days.`);
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        Links to <strong>{`${workspace.subdomain}.${host}`}</strong> redirect for 30 days, and your widget keeps working. Copy the widget's
        new snippet to your site before then. Afterwards, links to posts in sent emails stop working and others can take the old name.
      </p>
      <TextField name="subdomain" label="Subdomain" autoComplete="off" autoFocus maxLength={subdomainMaxLength} suffix={`.${host}`} />
    </FormDialog>
  );
}
