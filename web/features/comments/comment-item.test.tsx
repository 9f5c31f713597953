import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ids } from "../../../tests/support/web/fixtures.ts";
import type { CommentInput } from "./comment-calls.ts";
import { CommentItem } from "./comment-item.tsx";

const grace = { user_id: ids.person, name: "Grace Hopper" };
const comment = {
  ...{ id: "c", user_id: "ada", name: "Ada", avatar_url: null, text: "Ready, @Grace Hopper?", mentions: [grace] },
  ...{ created_at: "2026-01-01T00:00:00Z", edited_at: null },
};

function show() {
  const onChange = vi.fn<(input: CommentInput) => Promise<void>>(async () => {});
  const item = { comment, postId: "p", userId: "ada", canWrite: true, moderates: false, busy: false };
  return { onChange, ...render(<CommentItem {...item} members={[]} onChange={onChange} onRemove={() => {}} />) };
}

test("an edit keeps its mentions while the members are loading", async () => {
  const { onChange } = show();
  await userEvent.click(screen.getByRole("button", { name: "Edit" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Your comment" }), "!");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(onChange).toHaveBeenCalledWith({ text: "Ready, @Grace Hopper?!", mentions: [ids.person] });
});

test("a cancelled edit isn't offered again", async () => {
  const { unmount } = show();
  await userEvent.click(screen.getByRole("button", { name: "Edit" }));
  await userEvent.type(screen.getByRole("textbox", { name: "Your comment" }), " Or not.");
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  unmount();
  show();
  expect(screen.queryByRole("textbox", { name: "Your comment" })).toBeNull();
});
