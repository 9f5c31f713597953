import { operatorEndpoints, type OperatorWorkspace, suspendInput } from "#contract/operator.ts";
import { suspensionMessageMaxLength } from "#contract/limits.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { TextAreaField } from "../../ui/text-area-field.tsx";
import { call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";

interface SuspendDialogProps {
  workspace: OperatorWorkspace;
  onClose: () => void;
  onChange: () => Promise<unknown>;
}

/** Suspends a workspace, with a message to its members. */
export function SuspendDialog({ workspace: { id, name }, onClose, onChange }: SuspendDialogProps) {
  return (
    <FormDialog
      title={`Suspend ${name}?`}
      width="36rem"
      verb="Suspend workspace"
      danger
      schema={suspendInput}
      failure="Couldn't suspend the workspace. Try again."
      onSubmit={async (body) => {
        await call(operatorEndpoints.suspend, { params: { workspaceId: id }, body });
        onClose();
        toasts.success("Workspace suspended", `The members of ${name} get an email.`);
        await onChange();
      }}
      onClose={onClose}
    >
      <p>
        Its changelog, feeds and widget stop at once. Nothing is published or sent. Members can read and export posts, but not change them.
        You can lift the suspension at any time.
      </p>
      <TextAreaField
        name="message"
        label="Message to its members"
        hint="Members get it by email, with your email address for questions."
        rows={4}
        max={suspensionMessageMaxLength}
      />
    </FormDialog>
  );
}
