import { useCallback } from "react";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { fieldsOf } from "#contract/rules/post-content.ts";
import { parseBlocks } from "#contract/blocks/parse.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Stack, Text } from "../../ui/layout.tsx";
import { useLatest } from "../../lib/use-latest.ts";
import { VersionComparison } from "../history/version-comparison.tsx";
import { readPost } from "../posts/post-calls.ts";
import { PreviewDialog } from "../posts/publishing/preview-dialog.tsx";
import { tagNames } from "../posts/tags/tags.ts";
import { useTags } from "../posts/tags/use-tags.ts";
import { type SourcePost, previewFacts, stateLabels } from "./preview.ts";
import { importedVersion } from "#importers/preview/imported-version.ts";
import type { TagMapping } from "#importers/preview/tag-mapping.ts";

interface EntryPreviewProps {
  entry: SourcePost;
  tags: TagMapping;
  isDraft: boolean;
  onClose: () => void;
}

/** Preview of one post. */
export function EntryPreview({ entry, tags, isDraft, onClose }: EntryPreviewProps) {
  const read = async () => {
    const { summary, ...version } = importedVersion(entry, tags);
    return { ...version, summary: summary ?? "", changes: 0 };
  };
  return <PreviewDialog post={null} read={read} facts={previewFacts(entry.post, isDraft)} onClose={onClose} />;
}

interface CompareDialogProps {
  workspaceId: string;
  entry: SourcePost;
  tags: TagMapping;
  onClose: () => void;
}

const labels = { mine: "Here", theirs: "Import" };

/** Existing and imported version side by side. */
export function CompareDialog({ workspaceId, entry, tags, onClose }: CompareDialogProps) {
  const { tags: offered } = useTags(workspaceId);
  const latest = useLatest({ entry, tags, offered });
  const { postId } = entry;
  const load = useCallback(async () => {
    const { entry, tags, offered } = latest.current;
    const post = await readPost(postId ?? "");
    const tagLabels = (keys: readonly string[]) => tagNames(keys, offered);
    const theirs = importedVersion(entry, tags);
    return {
      mine: { ...fieldsOf(post), tags: tagLabels(post.tags), content: parseBlocks(post.content_raw) ?? cleanBlocks([]) },
      theirs: { ...theirs, tags: tagLabels(theirs.tags) },
    };
  }, [latest, postId]);

  return (
    <Dialog open title={`Compare “${entry.post.title}”`} width="48rem" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <Stack gap={3}>
        <Text tone="muted">{stateLabels[entry.state].note}</Text>
        <VersionComparison load={load} labels={labels} />
      </Stack>
    </Dialog>
  );
}
