import { z } from "zod";
import { domain } from "../domains.ts";
import { endpoint } from "../endpoint.ts";

export const v1DomainEndpoints = {
  list: endpoint("GET /api/v1/domains", {
    summary: "List custom domains",
    details: "With their state and DNS records, oldest first.",
    access: { scope: "posts:read" },
    query: z.strictObject({}),
    response: z.object({ domains: z.array(domain) }),
  }),
} as const;
