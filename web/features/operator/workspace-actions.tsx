import { type AddOn, workingAddOns } from "#contract/kinds.ts";
import { operatorEndpoints, type OperatorWorkspace } from "#contract/operator.ts";
import { Icon } from "../../components/icon.tsx";
import { PopupMenu } from "../../components/popup-menu.tsx";
import { ApiError, call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { addOnWords } from "../add-ons/add-on-labels.ts";
import css from "./overview.module.css";

/** What an operator can do with a workspace: grant the add-ons that it hasn't got. */
export function WorkspaceActions({ workspace: { id, name, add_ons }, onChange }: WorkspaceActionsProps) {
  const missing = workingAddOns.filter((addOn) => !add_ons.includes(addOn));
  if (missing.length === 0) return null;
  async function grant(addOn: AddOn) {
    try {
      await call(operatorEndpoints.grantAddOn, { params: { workspaceId: id }, body: { add_on: addOn } });
      toasts.success("Add-on granted", `${name} has ${addOnWords[addOn].name} from now on.`);
      await onChange();
    } catch (error) {
      toasts.error("Couldn't grant the add-on", error instanceof ApiError ? error.message : "Try again later.");
    }
  }
  return (
    <PopupMenu
      className={css.menu}
      label={`Actions for ${name}`}
      choices={missing.map((addOn) => ({
        label: `Grant ${addOnWords[addOn].name}`,
        icon: "plus" as const,
        onChoose: () => void grant(addOn),
      }))}
    >
      <Icon name="ellipsis-h" />
    </PopupMenu>
  );
}

interface WorkspaceActionsProps {
  workspace: OperatorWorkspace;
  onChange: () => Promise<unknown>;
}
