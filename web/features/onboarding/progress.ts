import { createWorkspaceInput } from "#contract/workspaces.ts";

export const companyFields = ["name", "subdomain", "origin"] as const;
export const requiredFields = [...companyFields, "jobTitle"] as const;
export type RequiredField = (typeof requiredFields)[number];

/** How much of the four required fields is valid, in percent: 0, 25, 50, 75 or 100. Source: specification, section 4. */
export function progress(values: Partial<Record<RequiredField, string>>): number {
  const valid = requiredFields.filter((field) => createWorkspaceInput.shape[field].safeParse(values[field]).success);
  return (valid.length / requiredFields.length) * 100;
}
