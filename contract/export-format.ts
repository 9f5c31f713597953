/** The name and version of the workspace export's format; readers of exports need no schema for it. */
export const exportFormat = "tidings-workspace-1";
