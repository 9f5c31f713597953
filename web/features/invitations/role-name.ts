import type { Role } from "#contract/limits.ts";

const names: Partial<Record<Role, string>> = { admin: "Administrator", editor: "Editor", viewer: "Viewer" };

/** The role as an invitation says it. Source: specification, section 3 ("Invite info"). */
export const invitedRoleName = (role: Role): string => names[role] ?? "Team Member";
