import { PreviewDialog } from "../posts/publishing/preview-dialog.tsx";
import type { FoundPost } from "./found.ts";
import { importedVersion } from "./imported-version.ts";
import type { TagMapping } from "./tag-mapping.ts";

interface EntryPreviewProps {
  entry: FoundPost;
  tags: TagMapping;
  onClose: () => void;
}

/** One post as readers will see it. */
export function EntryPreview({ entry, tags, onClose }: EntryPreviewProps) {
  const read = async () => {
    const { summary, ...version } = importedVersion(entry, tags);
    return { ...version, summary: summary ?? "", changes: 0 };
  };
  return <PreviewDialog post={null} read={read} onClose={onClose} />;
}
