import { z } from "zod";
import type { ApiKeyScope } from "../api-key-scopes.ts";
import { mcpPath } from "../body-limits.ts";
import { endpoint } from "../endpoint.ts";

/** What the tools need, all together: what an assistant asks its person for that says nothing else. */
export const scopesOfTools: readonly ApiKeyScope[] = ["posts:read", "posts:write", "posts:publish", "media:write", "stats:read"];

export const mcpEndpoints = {
  call: endpoint({
    method: "POST",
    path: mcpPath,
    summary: "A message of the Model Context Protocol (Streamable HTTP, revisions 2026-07-28 and 2025), for assistants",
    access: { scope: null, alsoAssistants: true },
    protocol: "mcp",
    raw: true,
    carriesContent: true,
    status: 200,
    response: z.looseObject({ jsonrpc: z.literal("2.0") }),
    errors: ["cross_origin", "body_too_large"],
  }),
} as const;
