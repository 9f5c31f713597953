import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
import type { Thread } from "#contract/comments.ts";
import { ids } from "../../../../tests/support/web/fixtures.ts";
import { pending, stubApi } from "../../../../tests/support/web/stub-api.ts";
import { ApiError } from "../../../lib/api-client.ts";
import type { Said } from "./comment-calls.ts";
import { CommentField } from "./comment-field.tsx";
import { newBeside, readKept } from "./kept-comments.ts";
import { NewThread } from "./new-thread.tsx";
import type { Comments } from "./use-comments.ts";

const kept = () => readKept("ada", "p").x?.text;

/** A field with something in it that is being sent. */
async function sending(initial?: string) {
  const answer = pending<void>();
  const more = vi.fn<(hasMore: boolean) => void>();
  const onSend = vi.fn<(said: Said, key: string, hasMore: () => boolean) => Promise<void>>(async (_said, _key, hasMore) => {
    await answer.promise;
    more(hasMore());
  });
  const user = userEvent.setup();
  render(
    <CommentField {...{ label: "Answer", send: "Send", initial, members: [], onSend }} kept={{ userId: "ada", postId: "p", place: "x" }} />,
  );
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Answer" });
  await user.type(field, " It is.");
  await user.keyboard("{Control>}{Enter}{/Control}");
  return {
    ...{ user, field, onSend, more },
    answered: () => act(async () => answer.resolve()),
    failed: () => act(async () => answer.reject(new ApiError(0, "network", "No answer"))),
  };
}

describe("while a comment is sent", () => {
  test("with nothing more written the field is empty afterwards, and nothing is kept", async () => {
    const { user, field, more, answered } = await sending();
    await user.type(field, " ");
    await answered();
    expect(more).toHaveBeenCalledExactlyOnceWith(false);
    expect([field.value, kept()]).toEqual(["", undefined]);
  });

  test("what is added stays, without what was sent, and is sent next", async () => {
    const { user, field, more, onSend, answered } = await sending();
    await user.type(field, "\nOr not? ");
    await answered();
    expect(more).toHaveBeenCalledExactlyOnceWith(true);
    expect([field.value, kept()]).toEqual(["Or not? ", "Or not? "]);
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(onSend.mock.calls.map(([{ text }]) => text)).toEqual(["It is.", "Or not?"]);
    expect(onSend.mock.calls[0]![1]).not.toBe(onSend.mock.calls[1]![1]);
    await waitFor(() => expect(field.value).toBe(""));
  });

  test("everything stays when it does not arrive", async () => {
    const { user, field, failed } = await sending();
    await user.type(field, " Or not?");
    await failed();
    await screen.findByText("This could not be sent. It is kept here; please try again.");
    expect([field.value.trim(), kept()?.trim()]).toEqual(["It is. Or not?", "It is. Or not?"]);
  });
});

test.each([
  ["", 1],
  [" And more.", 0],
])("a thread that is begun goes once it is sent, unless more was written meanwhile: %j", async (added, ended) => {
  const answer = pending<object>();
  stubApi({ "POST /api/posts/*/threads": () => answer.promise });
  const thread: Thread = {
    ...{ id: ids.globex, block_id: "b", quote: "", created_at: "2026-01-05T09:00:00.000Z" },
    ...{ resolved_at: null, resolved_by_name: null, comments: [] },
  };
  const calls = { put: vi.fn<(thread: Thread) => void>(), endBeginning: vi.fn<(blockId: string | null) => void>() };
  const comments = { userId: "ada", active: null, setActive: () => undefined, ...calls } as unknown as Comments;
  const user = userEvent.setup();
  render(<NewThread {...{ beginning: { blockId: "b", quote: "" }, postId: ids.post, comments, members: [], quotes: false }} />);
  const field = screen.getByRole<HTMLTextAreaElement>("textbox");
  await user.type(field, "Is it so?");
  await user.keyboard("{Control>}{Enter}{/Control}");
  await user.type(field, added || "{End}");
  await act(async () => answer.resolve({ thread }));
  await waitFor(() => expect(calls.put).toHaveBeenCalledWith(thread));
  await waitFor(() => expect(field.value).toBe(added.trim()));
  expect(calls.endBeginning).toHaveBeenCalledTimes(ended);
  expect(readKept("ada", ids.post)[newBeside("b")]?.text ?? "").toBe(added.trim());
});
