/** How much one call may carry, and how much work one person may cause. Source: docs/decisions/0007. */
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
/**
 * Bytes that one person's calls may carry, bodies and answers together, in each process: this many at once, and that many again a second.
 * A write counts as `least` at least. Far above what writing needs: a post of ten pages, saved four times a second. RATE_LIMIT_SCALE
 * multiplies it; 429 with Retry-After beyond.
 */
export const byteBudget = { size: 4_194_304, perSecond: 262_144, least: 4_096 } as const;
/** Calls that carry more bytes than this are worked on one at a time, people in turns. */
export const largeBytes = 65_536;
/** Body of a multipart call: the file and its envelope. */
export const multipartBodyMaxBytes = imageMaxBytes + 65_536;
/**
 * How fast bodies of more bytes than that come in, those of everybody together: a file of five megabytes takes a seventh of a second, which no
 * line of a reader's comes near, and a process is busy with them for a twentieth of its time, however many are sent.
 */
export const bodyPace = { size: 1_048_576, perSecond: 33_554_432 } as const;
