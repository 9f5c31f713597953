import { useState } from "react";
import { type AddOn, workingAddOns } from "#contract/kinds.ts";
import { operatorEndpoints, type OperatorWorkspace } from "#contract/operator.ts";
import { ConfirmAction } from "../../ui/confirm-dialog.tsx";
import { RowMenu } from "../../ui/data-table.tsx";
import type { MenuChoice } from "../../ui/popup-menu.tsx";
import { call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { useAction } from "../../lib/use-action.ts";
import { addOnLabels } from "../add-ons/add-on-labels.ts";
import { SuspendDialog } from "./suspend-dialog.tsx";

/** Grants missing add-ons, suspends a workspace and lifts the suspension. */
export function WorkspaceActions({ workspace, onChange }: WorkspaceActionsProps) {
  const { id, name, add_ons, suspension } = workspace;
  const [dialog, setDialog] = useState<"suspend" | "resume">();
  const { run } = useAction();
  const params = { workspaceId: id };

  const grant = (addOn: AddOn) =>
    run("grant", "Couldn't grant the add-on", async () => {
      await call(operatorEndpoints.grantAddOn, { params, body: { add_on: addOn } });
      toasts.success("Add-on granted", `${name} has ${addOnLabels[addOn].name} from now on.`);
      await onChange();
    });
  async function resume() {
    await call(operatorEndpoints.resume, { params });
    toasts.success("Suspension lifted", `The members of ${name} get an email.`);
    await onChange();
  }

  const choices: MenuChoice[] = workingAddOns
    .filter((addOn) => !add_ons.includes(addOn))
    .map((addOn) => ({ label: `Grant ${addOnLabels[addOn].name}`, icon: "plus", onChoose: () => void grant(addOn) }));
  const apart = choices.length > 0;
  return (
    <>
      <RowMenu
        label={`Actions for ${name}`}
        choices={[
          ...choices,
          suspension
            ? { label: "Lift suspension", icon: "undo", apart, onChoose: () => setDialog("resume") }
            : { label: "Suspend workspace", icon: "lock", danger: true, apart, onChoose: () => setDialog("suspend") },
        ]}
      />
      {dialog === "suspend" && <SuspendDialog workspace={workspace} onClose={() => setDialog(undefined)} onChange={onChange} />}
      {dialog === "resume" && (
        <ConfirmAction
          title={`Lift the suspension of ${name}?`}
          confirm="Lift suspension"
          failure="Couldn't lift the suspension"
          act={resume}
          onClose={() => setDialog(undefined)}
        >
          <p>Its changelog is public again if it was before. Scheduled posts, emails and webhooks that waited are sent.</p>
        </ConfirmAction>
      )}
    </>
  );
}

interface WorkspaceActionsProps {
  workspace: OperatorWorkspace;
  onChange: () => Promise<unknown>;
}
