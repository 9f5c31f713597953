import { exportEndpoints } from "#contract/workspace-export.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { DownloadButton } from "../../components/download-button.tsx";
import { Section } from "../../components/section.tsx";
import { download } from "../../lib/api-client.ts";

/** For the owner: everything the workspace holds, to keep or to take elsewhere. */
export function ExportSection({ workspace }: { workspace: Workspace }) {
  return (
    <Section title="Export" text="Posts, history, members, settings and views as one JSON file; images by their addresses.">
      <DownloadButton
        file={() => download(exportEndpoints.workspace, { params: { workspaceId: workspace.id } })}
        failure="The workspace could not be exported"
      >
        Export workspace
      </DownloadButton>
    </Section>
  );
}
