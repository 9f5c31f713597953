import type { PostStatus } from "#contract/kinds.ts";
import type { Post } from "#contract/posts.ts";
import type { LocalDraft } from "../session/draft-store.ts";
import type { ReviewState } from "./use-review.ts";

export interface ReviewBarProps {
  post: Post;
  /** Current status. */
  status: PostStatus;
  standing: ReviewState;
  userId: string;
  now: Date;
  /** There are unsaved changes: the approved version isn't the visible one. */
  dirty: boolean;
  /** The user's decision changed the post on the server. */
  onDecided(): void;
  /** Loads a proposal into the editor, unsaved. */
  onTake(draft: LocalDraft): Promise<boolean>;
}
