import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { passwordMaxLength } from "./limits.ts";
import { managers, roles } from "./kinds.ts";
import { accessModes } from "./rules/reader-access.ts";

export const readerPasswordMinLength = 8;
const access = z.enum(accessModes);

export const workspaceAccess = z.object({
  access,
  /** Emails to subscribers contain whole posts although the page is private. */
  emails_content: z.boolean(),
  /** The secret link, with `link`. */
  link: z.string().nullable(),
  /** Signs readers' tokens. */
  token_secret: z.string(),
  /** Identified readers' devices share what is new in the widget. */
  remembers_readers: z.boolean(),
});
export type WorkspaceAccess = z.infer<typeof workspaceAccess>;

export const workspaceAccessInput = z.object({
  access,
  /** With `password`; without it, the present one stays. */
  password: z
    .string()
    .min(readerPasswordMinLength, { error: `Please use at least ${readerPasswordMinLength} characters` })
    .max(passwordMaxLength)
    .optional(),
  emails_content: z.boolean().default(false),
  /** Without it, the present one stays. Turned off, what readers have seen is deleted. */
  remembers_readers: z.boolean().optional(),
  /** Ends all readers' access: they need the new link, the password or a new token. */
  renew: z.boolean().default(false),
});

const path = "/api/workspaces/{workspaceId}/access";

export const accessEndpoints = {
  read: endpoint(`GET ${path}`, {
    summary: "Read who can read the public changelog",
    access: managers,
    response: workspaceAccess,
  }),
  save: endpoint(`PUT ${path}`, {
    summary: "Set who can read the public changelog; a change ends readers' access",
    access: managers,
    body: workspaceAccessInput,
    response: workspaceAccess,
  }),
  enter: endpoint(`GET ${path}/link`, {
    summary: "Get your own link to a private changelog",
    access: roles,
    response: z.object({ url: z.string() }),
  }),
} as const;
