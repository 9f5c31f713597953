import { useMemo } from "react";
import { useFormState } from "react-final-form";
import { z } from "zod";
import { workspaceEndpoints, type Workspace } from "#contract/workspaces.ts";
import { Button } from "../../ui/button.tsx";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DownloadButton } from "../../ui/download-button.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { exportWorkspace } from "./export-section.tsx";
import { useDeparture } from "./use-departure.ts";
import { Row } from "../../ui/layout.tsx";

/** Requires typing the workspace's name. */
export function DeleteDialog({ workspace, onClose }: { workspace: Workspace; onClose: () => void }) {
  const depart = useDeparture();
  const schema = useMemo(() => z.object({ name: typedName(workspace.name) }), [workspace.name]);
  return (
    <Dialog open title="Delete this workspace?" width="32rem" hasForm onClose={onClose}>
      <ContractForm
        schema={schema}
        failure="Couldn't delete the workspace. Try again later."
        onSubmit={async ({ name }) => {
          await call(workspaceEndpoints.remove, { params: { workspaceId: workspace.id }, body: { name } });
          await depart();
          toasts.success("Workspace deleted", `${workspace.name} was permanently deleted.`);
        }}
      >
        <p>
          This permanently deletes <strong>{workspace.name}</strong>: posts, history, images, members and the public page. It can't be
          undone.
        </p>
        <Row justify="between">
          <p>Want to keep a copy? Export it first.</p>
          <DownloadButton size="small" {...exportWorkspace(workspace.id)}>
            Export workspace
          </DownloadButton>
        </Row>
        <TextField name="name" label="Type the workspace name" autoComplete="off" autoFocus />
        <Row gap={3} justify="end">
          <Button onClick={onClose}>Cancel</Button>
          <DeleteButton />
        </Row>
      </ContractForm>
    </Dialog>
  );
}

function DeleteButton() {
  const { valid } = useFormState({ subscription: { valid: true } });
  return (
    <SubmitButton variant="danger" disabled={!valid}>
      Delete workspace
    </SubmitButton>
  );
}

function typedName(name: string) {
  const sentence = `Type ${name}`;
  return z
    .string({ error: sentence })
    .trim()
    .refine((typed) => typed === name, { error: sentence });
}
