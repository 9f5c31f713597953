import { useState } from "react";
import { exportEndpoints } from "#contract/workspace-export.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { Button } from "../../components/button.tsx";
import { Section } from "../../components/section.tsx";
import { ApiError, download } from "../../lib/api-client.ts";
import { keepFile } from "../../lib/keep-file.ts";
import { toasts } from "../../lib/toasts.ts";

/** For the owner: everything the workspace holds, to keep or to take elsewhere. */
export function ExportSection({ workspace }: { workspace: Workspace }) {
  const [busy, setBusy] = useState(false);

  async function save() {
    setBusy(true);
    try {
      keepFile(await download(exportEndpoints.workspace, { params: { workspaceId: workspace.id } }));
    } catch (error) {
      if (error instanceof ApiError && error.code === "unauthenticated") return;
      toasts.error("The workspace could not be exported", error instanceof ApiError ? error.message : "Please try again later");
    } finally {
      setBusy(false);
    }
  }

  return (
    <Section title="Export" text="Posts, history, members, settings and views as one JSON file; images by their addresses.">
      <Button icon="download" busy={busy} onClick={() => void save()}>
        Export workspace
      </Button>
    </Section>
  );
}
