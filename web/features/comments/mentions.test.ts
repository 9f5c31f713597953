import { describe, expect, test } from "vitest";
import { mentionAt, mentionsIn, namesLike, piecesOf } from "./mentions.ts";

const person = (full_name: string, user_id = full_name) => ({ user_id, full_name });
const people = [person("Ana"), person("Ana Maria Ruiz"), person("Bo (Ops)"), person(" ")];

describe("mentionAt", () => {
  test.each([
    ["@", 1, { from: 0, typed: "" }],
    ["Ask @An please", 7, { from: 4, typed: "An" }],
    ["Ask @Ana Ma", 11, { from: 4, typed: "Ana Ma" }],
    ["(@Bo", 4, { from: 1, typed: "Bo" }],
    ["ana@acme.example", 8, null],
    ["@ then", 6, null],
    ["@Ana\nnext", 9, null],
    ["ana", 3, null],
  ])("reads %j at %i", (text, caret, mention) => expect(mentionAt(text, caret)).toEqual(mention));

  test("finds people by the start of any word of their name, except a name already complete", () => {
    expect(namesLike(people, "").map(({ full_name }) => full_name)).toEqual(["Ana", "Ana Maria Ruiz", "Bo (Ops)"]);
    expect(namesLike(people, "ru").map(({ full_name }) => full_name)).toEqual(["Ana Maria Ruiz"]);
    expect(namesLike(people, "ana").map(({ full_name }) => full_name)).toEqual(["Ana Maria Ruiz"]);
    expect(namesLike(people, "x")).toEqual([]);
  });
});

describe("mentionsIn", () => {
  test("picks the longer of two names, each once", () => {
    expect(mentionsIn("@Ana Maria Ruiz and @Bo (Ops): look, @Bo (Ops)!", people)).toEqual(["Ana Maria Ruiz", "Bo (Ops)"]);
    expect(mentionsIn("@Ana, look", people)).toEqual(["Ana"]);
    expect(mentionsIn("@Anastasia, look", people)).toEqual([]);
    expect(mentionsIn("Ana", people)).toEqual([]);
  });

  test.each(["Anna-Lena", "O’Neil / Ops", "^$.*+?()[]{}|\\-", "a\\d", "__proto__", "\u202eRTL", "👩‍🚀 Zoë"])(
    "finds a name with special characters: %j",
    (name) => {
      const people = [person("Ana"), person(name)];
      expect(mentionsIn(`Hello @${name}, look`, people)).toEqual([name]);
      expect(mentionsIn("Hello, look", people)).toEqual([]);
    },
  );

  test("finds both people with the same name", () => {
    expect(mentionsIn("@Ana", [person("Ana", "1"), person("Ana", "2")])).toEqual(["1", "2"]);
  });

  test("piecesOf splits mentions from the text without losing any of it", () => {
    const text = "Hi @Ana, and @Nobody";
    expect(piecesOf(text, ["Ana"])).toEqual([
      { text: "Hi ", names: false },
      { text: "@Ana", names: true },
      { text: ", and @Nobody", names: false },
    ]);
    expect(piecesOf(text, [])).toEqual([{ text, names: false }]);
  });
});
