import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import {
  clientMessage,
  participantColour,
  presencePlaceGapMs,
  presenceTypingAgainMs,
  presenceTypingMs,
  presenceTypingStaleMs,
  serverMessage,
} from "#contract/presence.ts";

test("a person's colour depends only on their id, and people spread over the colours", () => {
  const id = randomUUID();
  expect(participantColour(id)).toBe(participantColour(id));
  expect(new Set(Array.from({ length: 300 }, () => participantColour(randomUUID()))).size).toBe(10);
});

test("the messages match section 7", () => {
  expect(clientMessage.safeParse({ type: "join", userId: "1", fullName: "Ada", avatarUrl: null }).success).toBe(true);
  expect(clientMessage.safeParse({ type: "join", userId: "1", fullName: "Ada" }).success).toBe(true);
  expect(clientMessage.safeParse({ type: "editing-state", isEditing: true }).success).toBe(true);
  expect(clientMessage.safeParse({ type: "ping" }).success).toBe(true);
  expect(clientMessage.safeParse({ type: "leave" }).success).toBe(false);
  expect(clientMessage.safeParse({ type: "editing-state", isEditing: "yes" }).success).toBe(false);
  const ada = { userId: "1", fullName: "Ada", avatarUrl: null, isEditing: false, colour: "#1d4ed8" };
  for (const place of [{}, { blockId: null, isTyping: false }, { blockId: "aB3_-", isTyping: true }]) {
    const participants = [{ ...ada, ...place }];
    expect(serverMessage.parse({ type: "presence-update", participants })).toEqual({ type: "presence-update", participants });
  }
});

test("a place is a block id, null or absent; malformed ids are rejected", () => {
  const state = (fields: object) => clientMessage.safeParse({ type: "editing-state", isEditing: true, ...fields }).success;
  for (const blockId of ["a", "aB3_-", "x".repeat(64), null, undefined]) expect(state({ blockId })).toBe(true);
  for (const blockId of ["", "a b", "<b>", "x".repeat(65), 7, {}, ["a"]]) expect(state({ blockId })).toBe(false);
  expect([state({ isTyping: true }), state({ isTyping: "yes" })]).toEqual([true, false]);
});

test("typing is repeated before it times out, within the socket's rate limit", () => {
  expect(presenceTypingAgainMs + presencePlaceGapMs).toBeLessThan(presenceTypingMs);
  expect(presenceTypingStaleMs).toBeGreaterThan(presenceTypingMs + presencePlaceGapMs);
});
