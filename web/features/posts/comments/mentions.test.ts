import { describe, expect, test } from "vitest";
import { mentionAt, mentionsIn, namesLike, piecesOf } from "./mentions.ts";

const person = (full_name: string, user_id = full_name) => ({ user_id, full_name });
const people = [person("Ana"), person("Ana Maria Ruiz"), person("Bo (Ops)"), person(" ")];

describe("a name that is being typed", () => {
  test.each([
    ["@", 1, { from: 0, typed: "" }],
    ["Ask @An please", 7, { from: 4, typed: "An" }],
    ["Ask @Ana Ma", 11, { from: 4, typed: "Ana Ma" }],
    ["(@Bo", 4, { from: 1, typed: "Bo" }],
    ["ana@acme.example", 8, null],
    ["@ then", 6, null],
    ["@Ana\nnext", 9, null],
    ["nobody", 3, null],
  ])("in %j at %i", (text, caret, found) => expect(mentionAt(text, caret)).toEqual(found));

  test("finds who begins so, by any word of the name, but not who is named already", () => {
    expect(namesLike(people, "").map(({ full_name }) => full_name)).toEqual(["Ana", "Ana Maria Ruiz", "Bo (Ops)"]);
    expect(namesLike(people, "ru").map(({ full_name }) => full_name)).toEqual(["Ana Maria Ruiz"]);
    expect(namesLike(people, "ana").map(({ full_name }) => full_name)).toEqual(["Ana Maria Ruiz"]);
    expect(namesLike(people, "x")).toEqual([]);
  });
});

describe("who is named", () => {
  test("the longer of two names, once each, whatever signs are in it", () => {
    expect(mentionsIn("@Ana Maria Ruiz and @Bo (Ops): look, @Bo (Ops)!", people)).toEqual(["Ana Maria Ruiz", "Bo (Ops)"]);
    expect(mentionsIn("@Ana, look", people)).toEqual(["Ana"]);
    expect(mentionsIn("@Anastasia, look", people)).toEqual([]);
    expect(mentionsIn("Ana", people)).toEqual([]);
  });

  test.each(["Anna-Lena", "O’Neil / Ops", "^$.*+?()[]{}|\\-", "a\\d", "__proto__", "\u202eRTL", "👩‍🚀 Zoë"])(
    "%j, whatever signs a name has",
    (name) => {
      const people = [person("Ana"), person(name)];
      expect(mentionsIn(`Hello @${name}, look`, people)).toEqual([name]);
      expect(mentionsIn("Hello, look", people)).toEqual([]);
    },
  );

  test("both, where two have one name", () => {
    expect(mentionsIn("@Ana", [person("Ana", "1"), person("Ana", "2")])).toEqual(["1", "2"]);
  });

  test("stands apart from the rest, of which nothing is lost", () => {
    const text = "Hi @Ana, and @Nobody";
    expect(piecesOf(text, ["Ana"])).toEqual([
      { text: "Hi ", names: false },
      { text: "@Ana", names: true },
      { text: ", and @Nobody", names: false },
    ]);
    expect(piecesOf(text, [])).toEqual([{ text, names: false }]);
  });
});
