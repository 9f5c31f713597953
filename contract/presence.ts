import { z } from "zod";
import { blockId } from "./blocks/limits.ts";
import { fullNameMaxLength } from "./limits.ts";

/** The block that holds somebody's caret; null: none. */
const place = z.string().regex(blockId).nullable();

/**
 * The socket /ws/presence/{workspaceId}/{postId}: everything that goes over it, as JSON text.
 * Source: specification, section 7 ("Presence socket").
 */
export const clientMessage = z.discriminatedUnion("type", [
  /** Sent first. Who joins is told by the session, not by this message; the names are what the client shows of itself. */
  z.object({
    type: z.literal("join"),
    userId: z.string().max(100),
    fullName: z.string().max(fullNameMaxLength),
    avatarUrl: z.string().max(2_048).nullish(),
  }),
  /** Older clients say nothing of blocks: they are in none. `isTyping` is said again while it goes on (`presenceTypingAgainMs`). */
  z.object({ type: z.literal("editing-state"), isEditing: z.boolean(), blockId: place.optional(), isTyping: z.boolean().optional() }),
  /** Every 30 s; answered by `pong`. */
  z.object({ type: z.literal("ping") }),
]);
export type ClientMessage = z.infer<typeof clientMessage>;

/** One other person at the same post, however many tabs are open. `colour` is the same for everybody who looks. */
export const participant = z.object({
  userId: z.string(),
  fullName: z.string(),
  avatarUrl: z.string().nullable(),
  isEditing: z.boolean(),
  blockId: place.optional(),
  /** Has changed something in that block a moment ago, and may go on. */
  isTyping: z.boolean().optional(),
  colour: z.string().optional(),
});
export type Participant = z.infer<typeof participant>;

export const serverMessage = z.discriminatedUnion("type", [
  /** Everybody but oneself, whenever anything about them changes. */
  z.object({ type: z.literal("presence-update"), participants: z.array(participant) }),
  z.object({ type: z.literal("pong") }),
]);
export type ServerMessage = z.infer<typeof serverMessage>;

/**
 * Why the server ends the socket; clients come back after 3 s, after `sessionEnded` with a renewed session, after `displaced` (the person
 * has opened `presenceSocketsPerPerson` newer ones in the workspace) when somebody looks at the page again, after `forbidden` not at all.
 */
export const presenceClose = { sessionEnded: 4401, forbidden: 4403, displaced: 4409, tooMuch: 4429, restarting: 4503 } as const;

/** Characters of a message to the server; a client says far less. A longer one ends the socket (1009). */
export const presenceMessageMaxLength = 8_192;

/** Of one person in one workspace, by each instance of the function. */
export const presenceSocketsPerPerson = 20;
/** A client that has sent nothing for so long is gone; it pings every 30 s, a page in the background every minute. */
export const presenceSilenceMs = 150_000;

/** Somebody who has changed nothing for so long has stopped typing. */
export const presenceTypingMs = 4_000;
/** How often a client repeats that its person types. What was not repeated for `presenceTypingStaleMs` is over: its tab may be asleep. */
export const presenceTypingAgainMs = 2_500;
export const presenceTypingStaleMs = 7_000;
/** A client says at most so often where its person is. */
export const presencePlaceGapMs = 400;
/** A client is told of others at most so often; what happens meanwhile comes together. */
export const presenceTellGapMs = 100;

/** Subprotocol of the socket; clients of another origin add a second one, `jwt.{access token}`. */
export const presenceProtocol = "presence.v1";

const colours = ["#b42318", "#b54708", "#4d7c0f", "#15803d", "#0f766e", "#0369a1", "#1d4ed8", "#6d28d9", "#a21caf", "#be185d"] as const;

/** A colour for a person, chosen from the id alone so that every client and server agrees; each has 4.5:1 against white. */
export function participantColour(userId: string): string {
  let hash = 0;
  for (const character of userId) hash = (hash * 31 + character.charCodeAt(0)) >>> 0;
  return colours[hash % colours.length]!;
}
