import { z } from "zod";
import { mcpPath } from "../body-limits.ts";
import { endpoint } from "../endpoint.ts";

/** OAuth resource indicator (RFC 8707), and its metadata URL (RFC 9728). */
export const mcpResource = (publicUrl: string): string => publicUrl + mcpPath;
const resourceMetadataRoot = "/.well-known/oauth-protected-resource";
/** Also at the root: some clients look only there. */
export const resourceMetadataPaths = [resourceMetadataRoot, resourceMetadataRoot + mcpPath] as const;

export const mcpEndpoints = {
  call: endpoint(`POST ${mcpPath}`, {
    summary: "Model Context Protocol endpoint",
    details: "Streamable HTTP, revisions 2026-07-28 and 2025.",
    access: { scope: null, alsoAssistants: true },
    protocol: "mcp",
    raw: true,
    carriesContent: true,
    response: z.looseObject({ jsonrpc: z.literal("2.0") }),
    errors: ["cross_origin", "body_too_large"],
  }),
} as const;
