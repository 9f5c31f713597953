// @vitest-environment jsdom
import { beforeEach, expect, test } from "vitest";
import { answerTo, keep, newBeside, readKept } from "./kept-comments.ts";

beforeEach(() => localStorage.clear());

test("what is not sent is kept by person and post, and forgotten when it is", () => {
  keep("ana", "p", newBeside("b"), { text: "Is this so?", quote: "It is dark." });
  keep("ana", "p", answerTo("t"), { text: "It is." });
  keep("bo", "p", answerTo("t"), { text: "It is not." });
  expect(readKept("ana", "p")).toEqual({ "new:b": { text: "Is this so?", quote: "It is dark." }, "answer:t": { text: "It is." } });
  expect(readKept("ana", "q")).toEqual({});
  keep("ana", "p", newBeside("b"), { text: " " });
  keep("ana", "p", answerTo("t"), { text: "" });
  expect(readKept("ana", "p")).toEqual({});
  expect(localStorage).toHaveLength(1);
});

test("what somebody else wrote into the storage harms nothing", () => {
  for (const wrong of ["", "null", "{", "[1]", '{"answer:t":5}', '{"answer:t":{"text":5}}']) {
    localStorage.setItem("tc:comments:ana:p", wrong);
    expect(readKept("ana", "p")).toEqual({});
  }
});
