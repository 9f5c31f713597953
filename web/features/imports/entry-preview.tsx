import { PreviewDialog } from "../posts/publishing/preview-dialog.tsx";
import type { FoundPost } from "./found.ts";
import { importedVersion } from "./imported-version.ts";
import type { TagMapping } from "./tag-mapping.ts";

interface EntryPreviewProps {
  entry: FoundPost;
  tags: TagMapping;
  /** It was wished to come as a draft. */
  isDraft: boolean;
  onClose: () => void;
}

/** One post as readers will see it. */
export function EntryPreview({ entry, tags, isDraft, onClose }: EntryPreviewProps) {
  const read = async () => {
    const { summary, ...version } = importedVersion(entry, tags);
    return { ...version, summary: summary ?? "", changes: 0 };
  };
  return <PreviewDialog post={null} read={read} facts={previewFacts(entry.post, isDraft)} onClose={onClose} />;
}

/** What readers will be told beside the text: a draft's day is that on which it will be published. */
export function previewFacts({ status, published_at, publish_at, author = null }: FoundPost["post"], isDraft: boolean) {
  const date = isDraft || status === "draft" ? null : status === "scheduled" ? publish_at : published_at;
  return { author, ...(date ? { published_at: date } : {}) };
}
