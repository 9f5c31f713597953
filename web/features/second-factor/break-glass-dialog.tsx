import { factorCodeInput } from "#contract/factors.ts";
import { singleSignOnEndpoints } from "#contract/single-sign-on.ts";
import { call } from "../../lib/api-client.ts";
import { clearCachedReads } from "../../lib/clear-cached-reads.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { CodeField } from "./code-form.tsx";

interface BreakGlassDialogProps {
  workspaceId: string;
  name: string;
  onClose: () => void;
}

export function BreakGlassDialog({ workspaceId, name, onClose }: BreakGlassDialogProps) {
  return (
    <FormDialog
      title="Stop requiring single sign-on?"
      width="30rem"
      verb="Stop requiring it"
      danger
      schema={factorCodeInput}
      failure="Couldn't check the code. Try again later."
      onClose={onClose}
      onSubmit={async (body) => {
        await call(singleSignOnEndpoints.breakGlass, { params: { workspaceId }, body });
        onClose();
        await clearCachedReads();
      }}
    >
      <p>Enter the break-glass code of {name}. It works once, and every member can sign in with a password again.</p>
      <CodeField />
    </FormDialog>
  );
}
