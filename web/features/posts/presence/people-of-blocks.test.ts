import { expect, test } from "vitest";
import type { Participant } from "#contract/presence.ts";
import { peopleOfBlocks, saidOfBlock, typingIn } from "./people-of-blocks.ts";

const at = (fullName: string, blockId: string | null, fields: Partial<Participant> = {}): Participant => ({
  userId: fullName,
  fullName,
  avatarUrl: null,
  isEditing: true,
  blockId,
  isTyping: false,
  colour: `#${fullName}`,
  ...fields,
});
const labels = (participants: Participant[]) =>
  Object.fromEntries([...peopleOfBlocks(participants)].map(([id, { label }]) => [id, label.replaceAll(/[\u2068\u2069]/g, "")]));

test("everybody who writes stands at their block, those who type first, and of many the rest is counted", () => {
  const people = ["Ana", "Ben", "Cleo", "Dan", "Eve"].map((name) => at(name, "b1"));
  people[3]!.isTyping = true;
  expect(labels([...people, at("Fay", "b2")])).toEqual({ b1: "Dan is writing, Ana +3", b2: "Fay" });
  expect(peopleOfBlocks(people).get("b1")!.colours).toEqual(["#Dan", "#Ana", "#Ben", "#Cleo"]);
});

test("who is in no block, only looks on, or has an older client stands nowhere", () => {
  const old: Participant = { userId: "1", fullName: "Old", avatarUrl: null, isEditing: true };
  expect(labels([at("Ana", null), at("Ben", "b1", { isEditing: false }), old])).toEqual({});
});

test("a name from right to left, or with signs that turn letters round, does so for itself alone", () => {
  const label = peopleOfBlocks([at("דנה", "b1", { isTyping: true }), at("Ben", "b1")]).get("b1")!.label;
  expect(label).toBe("\u2068דנה\u2069 is writing, \u2068Ben\u2069");
});

test("a screen reader hears of the own block alone", () => {
  const people = [at("Ana", "b1"), at("Ben", "b1", { isTyping: true }), at("Cleo", "b2")];
  expect(saidOfBlock(people, "b1")).toBe("Ana is in this block. Ben is writing in this block");
  expect([saidOfBlock(people, "b3"), saidOfBlock(people, null)]).toEqual(["", ""]);
  expect(typingIn(people, "b1").map(({ fullName }) => fullName)).toEqual(["Ben"]);
});
