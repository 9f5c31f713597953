import type { PostStatus } from "#contract/kinds.ts";
import type { Post } from "#contract/posts.ts";
import type { LocalDraft } from "../session/draft-store.ts";
import type { ReviewState } from "./use-review.ts";

export interface ReviewBarProps {
  post: Post;
  status: PostStatus;
  standing: ReviewState;
  userId: string;
  now: Date;
  /** There are unsaved changes: the approved version isn't the visible one. */
  dirty: boolean;
  onDecided(): void;
  onTake(draft: LocalDraft): Promise<boolean>;
}
