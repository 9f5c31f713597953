/** Requested, else remembered, else first; undefined without workspaces. Source: specification, section 4. */
export function chooseWorkspace<Workspace extends { id: string }>(
  workspaces: readonly Workspace[],
  requested: string | null | undefined,
  remembered: string | null | undefined,
): Workspace | undefined {
  const byId = (id: string | null | undefined): Workspace | undefined => workspaces.find((workspace) => workspace.id === id);
  return byId(requested) ?? byId(remembered) ?? workspaces[0];
}
