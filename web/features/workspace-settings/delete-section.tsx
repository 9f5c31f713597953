import { Suspense, useState } from "react";
import type { Workspace } from "#contract/workspaces.ts";
import { Button } from "../../components/button.tsx";
import { Section } from "../../components/section.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";

const DeleteDialog = lazyPart(
  () => import("./delete-dialog.tsx"),
  (part) => part.DeleteDialog,
);

/** For the owner: the end of a workspace. */
export function DeleteSection({ workspace }: { workspace: Workspace }) {
  const [asking, setAsking] = useState(false);
  return (
    <Section title="Delete" text="Posts, images, members and the public page go for good.">
      <Button variant="danger" icon="trash" onClick={() => setAsking(true)}>
        Delete workspace
      </Button>
      <Suspense>{asking && <DeleteDialog workspace={workspace} onClose={() => setAsking(false)} />}</Suspense>
    </Section>
  );
}
