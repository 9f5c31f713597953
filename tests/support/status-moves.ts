import type { PostStatus } from "#contract/kinds.ts";

export const statusMoves: readonly (readonly [from: PostStatus, to: PostStatus, allowed: boolean])[] = [
  ["draft", "draft", true],
  ["draft", "scheduled", true],
  ["draft", "published", true],
  ["draft", "archived", true],
  ["scheduled", "draft", true],
  ["scheduled", "scheduled", true],
  ["scheduled", "published", true],
  ["scheduled", "archived", true],
  ["published", "draft", false],
  ["published", "scheduled", false],
  ["published", "published", true],
  ["published", "archived", true],
  ["archived", "draft", true],
  ["archived", "scheduled", false],
  ["archived", "published", false],
  ["archived", "archived", true],
];
