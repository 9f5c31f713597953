/** Format name and version; separate file so that readers of exports don't load the schema. */
export const exportFormat = "tidings-workspace-1";
