import { expect, test } from "vitest";
import type { Participant } from "#contract/presence.ts";
import { peopleOfBlocks, describeOthers, typingIn } from "./people-of-blocks.ts";

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

test("peopleOfBlocks lists people who edit, typing ones first, and counts the rest", () => {
  const people = ["Ana", "Ben", "Cleo", "Dan", "Eve"].map((name) => at(name, "b1"));
  people[3]!.isTyping = true;
  expect(labels([...people, at("Fay", "b2")])).toEqual({ b1: "Dan is writing, Ana +3", b2: "Fay" });
  expect(peopleOfBlocks(people).get("b1")!.colours).toEqual(["#Dan", "#Ana", "#Ben", "#Cleo"]);
});

test("peopleOfBlocks ignores people without a block, viewers and old clients", () => {
  const old: Participant = { userId: "1", fullName: "Old", avatarUrl: null, isEditing: true };
  expect(labels([at("Ana", null), at("Ben", "b1", { isEditing: false }), old])).toEqual({});
});

test("peopleOfBlocks isolates right-to-left names", () => {
  const label = peopleOfBlocks([at("דנה", "b1", { isTyping: true }), at("Ben", "b1")]).get("b1")!.label;
  expect(label).toBe("\u2068דנה\u2069 is writing, \u2068Ben\u2069");
});

test("describeOthers describes only one's own block", () => {
  const people = [at("Ana", "b1"), at("Ben", "b1", { isTyping: true }), at("Cleo", "b2")];
  expect(describeOthers(people, "b1")).toBe("Ana is in this block. Ben is writing in this block");
  expect([describeOthers(people, "b3"), describeOthers(people, null)]).toEqual(["", ""]);
  expect(typingIn(people, "b1").map(({ fullName }) => fullName)).toEqual(["Ben"]);
});
