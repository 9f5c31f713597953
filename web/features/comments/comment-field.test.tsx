import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
import type { Thread } from "#contract/comments.ts";
import { ids } from "../../../tests/support/web/fixtures.ts";
import { pending, stubApi } from "../../../tests/support/web/stub-api.ts";
import { ApiError } from "../../lib/api-client.ts";
import type { CommentInput } from "./comment-calls.ts";
import { CommentField } from "./comment-field.tsx";
import { newThreadKey, readCommentDrafts } from "./unsaved-comments.ts";
import { NewThread } from "./new-thread.tsx";
import type { Comments } from "./use-comments.ts";

const storedText = () => readCommentDrafts("ada", "p").x?.text;

async function sending(initial?: string) {
  const answer = pending<void>();
  const more = vi.fn<(hasMore: boolean) => void>();
  const onSend = vi.fn<(input: CommentInput, key: string, hasMore: () => boolean) => Promise<void>>(async (_input, _key, hasMore) => {
    await answer.promise;
    more(hasMore());
  });
  const user = userEvent.setup();
  render(
    <CommentField
      {...{ label: "Reply", send: "Send", initial, members: [], onSend }}
      draftKey={{ userId: "ada", postId: "p", place: "x" }}
    />,
  );
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Reply" });
  await user.type(field, " It is.");
  await user.keyboard("{Control>}{Enter}{/Control}");
  return {
    ...{ user, field, onSend, more },
    respond: () => act(async () => answer.resolve()),
    fail: () => act(async () => answer.reject(new ApiError(0, "network", "No answer"))),
  };
}

describe("CommentField, while sending", () => {
  test("clears the field and its draft after sending", async () => {
    const { user, field, more, respond } = await sending();
    await user.type(field, " ");
    await respond();
    expect(more).toHaveBeenCalledExactlyOnceWith(false);
    expect([field.value, storedText()]).toEqual(["", undefined]);
  });

  test("keeps text added meanwhile and sends it next", async () => {
    const { user, field, more, onSend, respond } = await sending();
    await user.type(field, "\nOr not? ");
    await respond();
    expect(more).toHaveBeenCalledExactlyOnceWith(true);
    expect([field.value, storedText()]).toEqual(["Or not? ", "Or not? "]);
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(onSend.mock.calls.map(([{ text }]) => text)).toEqual(["It is.", "Or not?"]);
    expect(onSend.mock.calls[0]![1]).not.toBe(onSend.mock.calls[1]![1]);
    await waitFor(() => expect(field.value).toBe(""));
  });

  test("keeps all the text when sending fails", async () => {
    const { user, field, fail } = await sending();
    await user.type(field, " Or not?");
    await fail();
    await screen.findByText("Couldn't send this. Your text is saved here. Try again.");
    expect([field.value.trim(), storedText()?.trim()]).toEqual(["It is. Or not?", "It is. Or not?"]);
  });
});

test.each([
  ["", 1],
  [" And more.", 0],
])("NewThread closes after sending, unless more was typed meanwhile: %j", async (added, ended) => {
  const answer = pending<object>();
  stubApi({ "POST /api/posts/*/threads": () => answer.promise });
  const thread: Thread = {
    ...{ id: ids.globex, block_id: "b", quote: "", created_at: "2026-01-05T09:00:00.000Z" },
    ...{ resolved_at: null, resolved_by_name: null, comments: [] },
  };
  const calls = { put: vi.fn<(thread: Thread) => void>(), closeDraft: vi.fn<(blockId: string | null) => void>() };
  const comments = { userId: "ada", active: null, setActive: () => undefined, ...calls } as unknown as Comments;
  const user = userEvent.setup();
  render(<NewThread {...{ draft: { blockId: "b", quote: "" }, postId: ids.post, comments, members: [], showQuote: false }} />);
  const field = screen.getByRole<HTMLTextAreaElement>("textbox");
  await user.type(field, "Is it so?");
  await user.keyboard("{Control>}{Enter}{/Control}");
  await user.type(field, added || "{End}");
  await act(async () => answer.resolve({ thread }));
  await waitFor(() => expect(calls.put).toHaveBeenCalledWith(thread));
  await waitFor(() => expect(field.value).toBe(added.trim()));
  expect(calls.closeDraft).toHaveBeenCalledTimes(ended);
  expect(readCommentDrafts("ada", ids.post)[newThreadKey("b")]?.text ?? "").toBe(added.trim());
});
