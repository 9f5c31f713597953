import { z } from "zod";
import { endpoint } from "./endpoint.ts";

export const healthEndpoints = {
  check: endpoint("GET /api/health", {
    summary: "Check the API, the database and the auth service; 503 if one is down",
    access: "public",
    response: z.object({ status: z.literal("ok"), version: z.string() }),
  }),
} as const;
