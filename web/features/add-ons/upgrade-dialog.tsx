import { useState } from "react";
import type { AddOn } from "#contract/kinds.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Stack, Text } from "../../ui/layout.tsx";
import { AddOnChoices } from "./add-on-choices.tsx";
import type { AddOnStatus } from "./use-add-ons.ts";

interface UpgradeDialogProps {
  status: AddOnStatus;
  preselected: readonly AddOn[];
  onUpgrade: (chosen: readonly AddOn[]) => void;
  onBack: () => void;
}

/** Source: specification, section 2. */
export function UpgradeDialog({ status, preselected, onUpgrade, onBack }: UpgradeDialogProps) {
  const [chosen, setChosen] = useState(preselected);
  return (
    <Dialog
      open
      title="Upgrade your plan"
      width="750px"
      onClose={onBack}
      footer={
        <>
          <Button onClick={onBack}>Go back</Button>
          <Button variant="primary" icon="bolt" disabled={chosen.length === 0} onClick={() => onUpgrade(chosen)}>
            Upgrade now
          </Button>
        </>
      }
    >
      <Stack>
        <Text tone="muted">Add only what you need</Text>
        <AddOnChoices chosen={chosen} {...status} onChange={setChosen} />
      </Stack>
    </Dialog>
  );
}
