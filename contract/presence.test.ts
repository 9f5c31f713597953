import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { clientMessage, participantColour, serverMessage } from "#contract/presence.ts";

test("a person's colour depends on the person alone, and people spread over the colours", () => {
  const id = randomUUID();
  expect(participantColour(id)).toBe(participantColour(id));
  expect(new Set(Array.from({ length: 300 }, () => participantColour(randomUUID()))).size).toBe(10);
});

test("the messages are those of section 7", () => {
  expect(clientMessage.safeParse({ type: "join", userId: "1", fullName: "Ada", avatarUrl: null }).success).toBe(true);
  expect(clientMessage.safeParse({ type: "join", userId: "1", fullName: "Ada" }).success).toBe(true);
  expect(clientMessage.safeParse({ type: "editing-state", isEditing: true }).success).toBe(true);
  expect(clientMessage.safeParse({ type: "ping" }).success).toBe(true);
  expect(clientMessage.safeParse({ type: "leave" }).success).toBe(false);
  expect(clientMessage.safeParse({ type: "editing-state", isEditing: "yes" }).success).toBe(false);
  const participants = [{ userId: "1", fullName: "Ada", avatarUrl: null, isEditing: false, colour: "#1d4ed8" }];
  expect(serverMessage.parse({ type: "presence-update", participants })).toEqual({ type: "presence-update", participants });
});
