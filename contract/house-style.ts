import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { time } from "./fields.ts";
import { managers, roles } from "./kinds.ts";
import { houseStyleMaxLength } from "./limits.ts";
import { figure } from "./rules/figure.ts";

export { houseStyleMaxLength };

/** Writing guidelines for assistants, in the team's words. `text` is "" when not set. */
export const houseStyle = z.object({
  text: z.string(),
  /** Name at that time; null: not set. */
  updated_by_name: z.string().nullable(),
  updated_at: time.nullable(),
});
export type HouseStyle = z.infer<typeof houseStyle>;

const path = "/api/workspaces/{workspaceId}/house-style";
const response = z.object({ house_style: houseStyle });

export const houseStyleEndpoints = {
  read: endpoint(`GET ${path}`, {
    summary: "Read a workspace's house style",
    access: roles,
    response,
  }),
  save: endpoint(`PUT ${path}`, {
    summary: "Set a workspace's house style; an empty text removes it",
    access: managers,
    body: z.object({
      text: z
        .string({ error: "Please write a text, or send an empty one" })
        .overwrite((text) => text.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n\t]/gu, ""))
        .trim()
        .max(houseStyleMaxLength, { error: `Please use at most ${figure(houseStyleMaxLength)} characters` }),
    }),
    response,
  }),
} as const;
