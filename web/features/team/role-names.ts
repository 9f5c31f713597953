import type { Role } from "#contract/kinds.ts";

/** A role as the team page says it. */
export const roleNames: Readonly<Record<Role, string>> = {
  owner: "Owner",
  admin: "Administrator",
  editor: "Editor",
  viewer: "Viewer",
};
