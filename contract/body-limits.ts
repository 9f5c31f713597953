/** How much one call may carry. Source: docs/decisions/0007. */
import { imageMaxBytes } from "./limits.ts";

/** Body of a JSON call that carries a post; one of 300 blocks is well below. */
export const jsonBodyMaxBytes = 2_097_152;
/** Body of every other JSON call. */
export const smallJsonBodyMaxBytes = 65_536;
/** Body of a call that is taken as it came: SNS sends 256 kB at most. */
export const rawBodyMaxBytes = 300_000;
/** Body of a call of an assistant, at the one address for them: an image in base64 and its envelope. */
export const mcpPath = "/api/mcp";
export const mcpBodyMaxBytes = Math.ceil(imageMaxBytes / 3) * 4 + 65_536;
/** Values in the JSON of a post, far above what `blockLimits` let through, and in that of every other call. */
export const jsonMaxValues = 80_000;
export const smallJsonMaxValues = 2_000;
/** A body up to this many bytes is read in one piece by the platform, which takes twice as long for a file. */
export const largeBytes = 65_536;
/** Body of a multipart call: the file and its envelope. */
export const multipartBodyMaxBytes = imageMaxBytes + 65_536;
