import type { Role } from "#contract/kinds.ts";

export const roleNames: Readonly<Record<Role, string>> = {
  owner: "Owner",
  admin: "Administrator",
  editor: "Editor",
  viewer: "Viewer",
};
