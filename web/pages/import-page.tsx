import { PageTitle } from "../ui/page-title.tsx";
import { ImportWork } from "../features/imports/import-work.tsx";
import { useCurrentWorkspace } from "../features/workspaces/current-workspace.tsx";
import { Stack } from "../ui/layout.tsx";

/** For owners and admins. */
export function Component() {
  const { workspace, role } = useCurrentWorkspace();
  const manages = role !== "editor" && role !== "viewer"; // role unknown: the server checks
  return (
    <Stack key={workspace.id} gap={8}>
      <PageTitle title="Import posts" subtitle="From another tool or a file, with dates, images and URLs" context={workspace.name} />
      {manages ? <ImportWork workspaceId={workspace.id} /> : <p>Only owners and admins can import posts.</p>}
    </Stack>
  );
}
