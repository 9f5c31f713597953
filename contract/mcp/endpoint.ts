import { z } from "zod";
import { mcpPath } from "../body-limits.ts";
import { endpoint } from "../endpoint.ts";

/** As OAuth names what assistants are let into (RFC 8707), and where it says who lets them in (RFC 9728). */
export const mcpResource = (publicUrl: string): string => publicUrl + mcpPath;
const resourceMetadataRoot = "/.well-known/oauth-protected-resource";
/** At the root as well: some clients look nowhere else. */
export const resourceMetadataPaths = [resourceMetadataRoot, resourceMetadataRoot + mcpPath] as const;

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
