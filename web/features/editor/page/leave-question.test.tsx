import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { PostSession, PostView } from "../../session/session.ts";
import { LeaveQuestion } from "./leave-question.tsx";

const leaving = { isAsking: true, isHeld: true, stay: () => {}, leave: () => {} };

test.each([
  [null, /we keep them on this device/],
  ["unavailable", /If you leave, they are lost/],
] as const)("leaving says what happens to unsaved changes when the draft problem is %s", (draftProblem, words) => {
  const view = { autosaves: true, title: "Faster", uploading: false, busy: null, draftProblem } as PostView;
  render(<LeaveQuestion session={{} as PostSession} view={view} leaving={leaving} />);
  expect(screen.getByText(words)).toBeDefined();
});
