import { imageMaxBytes } from "./limits.ts";

export const jsonBodyMaxBytes = 2_097_152;
export const smallJsonBodyMaxBytes = 65_536;
export const rawBodyMaxBytes = 300_000;
/** MCP call: an image in base64 and its envelope. */
export const mcpPath = "/api/mcp";
export const mcpBodyMaxBytes = Math.ceil(imageMaxBytes / 3) * 4 + 65_536;
/** JSON values in a post (far above `blockLimits`) and in every other call. */
export const jsonMaxValues = 80_000;
export const smallJsonMaxValues = 2_000;
/** The platform buffers bodies up to this size; a file takes twice as long. */
export const largeBytes = 65_536;
export const multipartBodyMaxBytes = imageMaxBytes + 65_536;
