import { toldOf } from "../present.ts";
import type { Run } from "../tool.ts";
import { askAt } from "../reviewing.ts";
import { postAt, shownPost } from "../writing.ts";

export const requestReview: Run<"request_review"> = async (call, { id, expected_version, publish_at, note }) => {
  const row = await postAt(call, id, expected_version);
  const { review, words } = await askAt(call, row, { publish_at, note });
  const post = await shownPost(call, row);
  return { text: toldOf(words, post), structured: { review, post } };
};
