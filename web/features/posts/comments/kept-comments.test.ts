// @vitest-environment jsdom
import { beforeEach, expect, test } from "vitest";
import { answerTo, keepComment, newBeside, readKept } from "./kept-comments.ts";

beforeEach(() => localStorage.clear());

test("what is not sent is kept by person and post, and forgotten when it is", () => {
  keepComment("ana", "p", newBeside("b"), { text: "Is this so?", quote: "It is dark." });
  keepComment("ana", "p", answerTo("t"), { text: "It is." });
  keepComment("bo", "p", answerTo("t"), { text: "It is not." });
  expect(readKept("ana", "p")).toEqual({ "new:b": { text: "Is this so?", quote: "It is dark." }, "answer:t": { text: "It is." } });
  expect(readKept("ana", "q")).toEqual({});
  keepComment("ana", "p", newBeside("b"), { text: " " });
  keepComment("ana", "p", answerTo("t"), { text: "" });
  expect(readKept("ana", "p")).toEqual({});
  expect(localStorage).toHaveLength(1);
});

test("what somebody else wrote into the storage harms nothing", () => {
  for (const wrong of ["", "null", "{", "[1]", '{"answer:t":5}', '{"answer:t":{"text":5}}']) {
    localStorage.setItem("tc:comments:ana:p", wrong);
    expect(readKept("ana", "p")).toEqual({});
  }
});
