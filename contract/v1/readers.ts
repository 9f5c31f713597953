import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { success, time } from "../fields.ts";
import { externalIdMaxLength } from "../limits.ts";

const params = z.object({ sub: z.string().max(externalIdMaxLength, { error: `Please use at most ${externalIdMaxLength} characters` }) });

export const v1ReaderEndpoints = {
  unseen: endpoint("GET /api/v1/readers/{sub}/unseen", {
    summary: "Count the posts that a reader hasn't seen",
    details: "Posts for everyone. 0 before the widget was opened, or unless what readers have seen is remembered.",
    access: { scope: "subscribers:read" },
    params,
    response: z.object({ seen_up_to: time.nullable(), unseen: z.int() }),
    errors: ["forbidden"],
  }),
  erase: endpoint("DELETE /api/v1/readers/{sub}", {
    summary: "Erase what a reader has seen",
    access: { scope: "subscribers:write" },
    params,
    response: success,
    errors: ["forbidden"],
  }),
} as const;
