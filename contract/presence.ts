import { z } from "zod";
import { blockId } from "./blocks/limits.ts";
import { fullNameMaxLength } from "./limits.ts";

const place = z.string().regex(blockId).nullable();

/** Messages of /ws/presence/{workspaceId}/{postId}, as JSON text. Source: specification, section 7 ("Presence socket"). */
export const clientMessage = z.discriminatedUnion("type", [
  /** Sent first. The session decides the identity; these names are for display. */
  z.object({
    type: z.literal("join"),
    userId: z.string().max(100),
    fullName: z.string().max(fullNameMaxLength),
    avatarUrl: z.string().max(2_048).nullish(),
  }),
  /** Older clients omit blockId. `isTyping` is repeated every `presenceTypingAgainMs`. */
  z.object({ type: z.literal("editing-state"), isEditing: z.boolean(), blockId: place.optional(), isTyping: z.boolean().optional() }),
  z.object({ type: z.literal("ping") }),
]);
export type ClientMessage = z.infer<typeof clientMessage>;

export const participant = z.object({
  userId: z.string(),
  fullName: z.string(),
  avatarUrl: z.string().nullable(),
  isEditing: z.boolean(),
  blockId: place.optional(),
  /** Changed this block a moment ago. */
  isTyping: z.boolean().optional(),
  colour: z.string().optional(),
});
export type Participant = z.infer<typeof participant>;

export const serverMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("presence-update"), participants: z.array(participant) }),
  z.object({ type: z.literal("pong") }),
]);
export type ServerMessage = z.infer<typeof serverMessage>;

/**
 * Close codes. Clients reconnect after 3 s; after `sessionEnded` with a renewed session; after `displaced` (more than
 * `presenceSocketsPerPerson` open) when the page is focused; after `forbidden` never.
 */
export const presenceClose = { sessionEnded: 4401, forbidden: 4403, displaced: 4409, tooMuch: 4429, restarting: 4503 } as const;

export const presenceMessageMaxLength = 8_192;

/** Per person and workspace, in each instance. */
export const presenceSocketsPerPerson = 20;
/** Idle timeout. Clients ping every 30 s, background pages every minute. */
export const presenceSilenceMs = 150_000;

/** Time without changes until typing ends. */
export const presenceTypingMs = 4_000;
/** Heartbeat interval of typing; without one for `presenceTypingStaleMs` it expires, e.g. in a sleeping tab. */
export const presenceTypingAgainMs = 2_500;
export const presenceTypingStaleMs = 7_000;
export const presencePlaceGapMs = 400;
/** Throttle of updates to a client; changes in between are batched. */
export const presenceTellGapMs = 100;

/** WebSocket subprotocol; clients on another origin add `jwt.{access token}`. */
export const presenceProtocol = "presence.v1";

const colours = ["#b42318", "#b54708", "#4d7c0f", "#15803d", "#0f766e", "#0369a1", "#1d4ed8", "#6d28d9", "#a21caf", "#be185d"] as const;

/** Derived from the id, so all clients agree; each has 4.5:1 contrast on white. */
export function participantColour(userId: string): string {
  let hash = 0;
  for (const character of userId) hash = (hash * 31 + character.charCodeAt(0)) >>> 0;
  return colours[hash % colours.length]!;
}
