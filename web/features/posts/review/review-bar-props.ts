import type { PostStatus } from "#contract/kinds.ts";
import type { Post } from "#contract/posts.ts";
import type { LocalDraft } from "../session/draft-store.ts";
import type { Standing } from "./use-review.ts";

export interface ReviewBarProps {
  post: Post;
  /** As it is now. */
  status: PostStatus;
  standing: Standing;
  userId: string;
  now: Date;
  /** Something on the screen is not saved: what is approved is not what is seen. */
  dirty: boolean;
  /** The post has changed on the server by this person's decision. */
  onDecided(): void;
  /** What is proposed comes into the editor, unsaved. */
  onTake(draft: LocalDraft): Promise<boolean>;
}
