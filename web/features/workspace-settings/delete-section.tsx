import { Suspense, useState } from "react";
import type { Workspace } from "#contract/workspaces.ts";
import { Button } from "../../ui/button.tsx";
import { Section } from "../../ui/section.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";

const DeleteDialog = lazyPart(() => import("./delete-dialog.tsx"), "DeleteDialog");

export function DeleteSection({ workspace }: { workspace: Workspace }) {
  const [confirming, setConfirming] = useState(false);
  return (
    <Section title="Delete" text="Permanently deletes the workspace and everything in it.">
      <Button variant="danger" icon="trash" onClick={() => setConfirming(true)}>
        Delete workspace
      </Button>
      <Suspense>{confirming && <DeleteDialog workspace={workspace} onClose={() => setConfirming(false)} />}</Suspense>
    </Section>
  );
}
