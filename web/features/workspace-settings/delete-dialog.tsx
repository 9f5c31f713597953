import { useMemo } from "react";
import { z } from "zod";
import { workspaceEndpoints, type Workspace } from "#contract/workspaces.ts";
import { Button } from "../../components/button.tsx";
import { ContractForm } from "../../components/contract-form.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/text-field.tsx";
import { call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { useDeparture } from "./use-departure.ts";

/** Deletes a workspace once its name was typed. */
export function DeleteDialog({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const depart = useDeparture();
  const schema = useMemo(() => z.object({ name: typedName(workspace.name) }), [workspace.name]);
  return (
    <Dialog open title="Delete this workspace?" width="32rem" onClose={onClose}>
      <ContractForm
        schema={schema}
        failure="The workspace could not be deleted. Please try again later."
        onSubmit={async ({ name }) => {
          await call(workspaceEndpoints.remove, { params: { workspaceId: workspace.id }, body: { name } });
          await depart();
          toasts.success("Workspace deleted", `${workspace.name} is gone.`);
        }}
      >
        {({ submitting }) => (
          <>
            <p>
              Everything in <strong>{workspace.name}</strong> is deleted for good: posts, history, images, members and the public page. This
              cannot be undone.
            </p>
            <TextField name="name" label="Type the name of the workspace" autoComplete="off" autoFocus />
            <Button type="submit" variant="danger" wide busy={submitting}>
              Delete workspace
            </Button>
          </>
        )}
      </ContractForm>
    </Dialog>
  );
}

function typedName(name: string) {
  const sentence = `Please type ${name}`;
  return z
    .string({ error: sentence })
    .trim()
    .refine((typed) => typed === name, { error: sentence });
}
