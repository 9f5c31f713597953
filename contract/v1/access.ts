import { z } from "zod";
import { workspaceAccess, workspaceAccessInput } from "../access.ts";
import { endpoint } from "../endpoint.ts";

const access = { scope: "access:write" } as const;

export const v1AccessEndpoints = {
  read: endpoint("GET /api/v1/access", {
    summary: "Read who can read the public changelog",
    details: "With the secret link or the secret for tokens.",
    access,
    query: z.strictObject({}),
    response: workspaceAccess,
  }),
  save: endpoint("PUT /api/v1/access", {
    summary: "Set who can read the public changelog",
    details: "A change ends the access of all readers. `password` is needed when `access` becomes `password`.",
    access,
    body: workspaceAccessInput.strict(),
    example: { access: "password", password: "correct horse battery" },
    response: workspaceAccess,
  }),
} as const;
