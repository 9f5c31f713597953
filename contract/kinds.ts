/** Source: specification, sections 1 to 3. */

export const roles = ["owner", "admin", "editor", "viewer"] as const;
export type Role = (typeof roles)[number];
export const writers = ["owner", "admin", "editor"] as const;
export const managers = ["owner", "admin"] as const;

export const postStatuses = ["draft", "scheduled", "published", "archived"] as const;
export type PostStatus = (typeof postStatuses)[number];

export const addOns = ["analytics", "sso", "custom-domain", "backup", "reports", "priority-support"] as const;
export type AddOn = (typeof addOns)[number];
/** Available add-ons; requests for the others are recorded. Source: product decision 24. */
export const workingAddOns: readonly AddOn[] = ["analytics", "sso", "reports", "custom-domain", "backup"];
