import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, time } from "./fields.ts";
import { roles } from "./kinds.ts";
import { houseStyleMaxLength } from "./limits.ts";
import { figure } from "./rules/figure.ts";

export { houseStyleMaxLength };

/** How a workspace wants its posts written, in its own words: assistants read it before they draft. `text` is "" where nobody has written any. */
export const houseStyle = z.object({
  text: z.string(),
  /** By its name then; null: nobody has written one. */
  updated_by_name: z.string().nullable(),
  /** Null: nobody has written one. */
  updated_at: time.nullable(),
});
export type HouseStyle = z.infer<typeof houseStyle>;

const params = z.object({ workspaceId: id });
const path = "/api/workspaces/{workspaceId}/house-style";
const response = z.object({ house_style: houseStyle });

export const houseStyleEndpoints = {
  read: endpoint({
    method: "GET",
    path,
    summary: "How a workspace wants its posts written",
    access: roles,
    params,
    status: 200,
    response,
  }),
  save: endpoint({
    method: "PUT",
    path,
    summary: "Say how a workspace wants its posts written; an empty text takes it back",
    access: ["owner", "admin"],
    params,
    body: z.object({
      text: z
        .string({ error: "Please write something, or send an empty text" })
        // Lines and tabs stay; other signs that nobody sees say nothing to anybody.
        .overwrite((text) => text.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n\t]/gu, ""))
        .trim()
        .max(houseStyleMaxLength, { error: `Please use at most ${figure(houseStyleMaxLength)} characters` }),
    }),
    status: 200,
    response,
    errors: ["forbidden"],
  }),
} as const;
