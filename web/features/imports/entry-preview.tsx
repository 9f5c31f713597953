import { PreviewDialog } from "../posts/publishing/preview-dialog.tsx";
import { dayOf } from "./day-of.ts";
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
  return <PreviewDialog post={null} read={read} note={previewNote(entry.post, isDraft)} onClose={onClose} />;
}

/** The preview is of a post written now, by who looks at it. */
export function previewNote({ status, published_at, publish_at, author }: FoundPost["post"], isDraft: boolean): string | undefined {
  const date = status === "scheduled" ? publish_at : published_at;
  const day = isDraft || status === "draft" || !date ? null : dayOf(date);
  const facts = [day, author].filter(Boolean);
  return facts.length === 0 ? undefined : `Its text as readers will see it. The imported post will say ${facts.join(" and ")}.`;
}
