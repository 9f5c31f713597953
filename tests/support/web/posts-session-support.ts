import { act, renderHook } from "@testing-library/react";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { blocksToText } from "#contract/blocks/plain-text.ts";
import type { EditorOutput } from "#contract/blocks/schema.ts";
import type { Post } from "#contract/posts.ts";
import type { BodyEditor } from "../../../web/features/session/session.ts";
import { usePostSession } from "../../../web/features/session/use-post-session.ts";
import { ids } from "./fixtures.ts";
import { fullPost } from "./posts-support.ts";

export const words = (text: string) => cleanBlocks([{ id: "body", type: "paragraph", data: { text } }]);

export function session(opened: Post | null = fullPost()) {
  const editor = { text: "Twice as fast.", settled: Promise.resolve() };
  const show = async (content: EditorOutput, from?: EditorOutput) => {
    if (from && blocksToText(from) !== editor.text) return false;
    editor.text = blocksToText(content);
    return true;
  };
  const replace = async (content: EditorOutput) => {
    editor.text = blocksToText(content);
  };
  const body: { current: BodyEditor | null } = {
    current: { read: async () => words(editor.text), replace, show, settled: () => editor.settled },
  };
  const hook = renderHook(() => {
    const { session, view } = usePostSession({ workspaceId: ids.acme, userId: "ada", opened, body, onCreated: () => undefined });
    return { ...session, ...view };
  });
  const write = (text: string) =>
    act(() => {
      editor.text = text;
      hook.result.current.bodyChanged();
    });
  return { ...hook, editor, body, write };
}

export const cutOff = () => Promise.reject(new TypeError("Failed to fetch"));
