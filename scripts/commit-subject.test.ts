import { expect, test } from "vitest";
import { subjectProblem } from "./commit-subject.ts";

test.each([
  "fix(editor): keep focus after inserting an image",
  "feat: embed videos",
  "feat(api)!: need a key",
  "docs(decisions): process less",
  "chore(release): 1.4.2",
  `fix: ${"a".repeat(67)}`,
])("subjectProblem accepts %s", (subject) => expect(subjectProblem(subject)).toBeNull());

test.each([
  [`fix: ${"a".repeat(68)}`, /73 characters/],
  ["Keep focus", /form/],
  ["fix(editor) keep focus", /form/],
  ["misc: keep focus", /form/],
  ["fix: keep focus.", /full stop/],
  ["fix: Keep focus", /"Keep" isn't an imperative/],
  ["fix: added focus", /"added" isn't/],
  ["fix: keeping focus", /"keeping" isn't/],
  ["fix: keeps focus", /"keeps" isn't/],
  ["test: posts that are gone", /"posts" isn't/],
])("subjectProblem says what is wrong with %s", (subject, expected) => expect(subjectProblem(subject)).toMatch(expected));
