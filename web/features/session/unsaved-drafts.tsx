import { useCallback, useEffect, useState } from "react";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { postMarkdown } from "../editor/toolbar/post-markdown.ts";
import { orphanedDrafts } from "./draft-session.ts";
import { deleteDraft, draftsIn, type LocalDraft } from "./draft-store.ts";
import { toasts } from "../../lib/toasts.ts";
import { Row, Stack, Text } from "../../ui/layout.tsx";

export function UnsavedDrafts({ workspaceId, userId }: { workspaceId: string; userId: string }) {
  const [drafts, setDrafts] = useState<readonly LocalDraft[]>([]);
  const load = useCallback(() => orphanedDrafts(draftsIn(workspaceId, userId)).then(setDrafts, () => {}), [workspaceId, userId]);
  useEffect(() => void load(), [load]);
  if (drafts.length === 0) return null;
  return (
    <Stack
      as="section"
      gap={3}
      style={{ justifySelf: "center", width: "min(100%, 40rem)", padding: "var(--space-6) var(--space-4)", textAlign: "start" }}
      aria-labelledby="unsaved-drafts"
    >
      <h2 id="unsaved-drafts">Your unsaved text</h2>
      <Text tone="muted">You have unsaved changes on this device.</Text>
      <Stack as="ul" gap={0} divided role="list">
        {drafts.map((draft) => (
          <Row as="li" key={draft.sessionId} gap={3} style={{ paddingBlock: "var(--space-2)" }}>
            <Text as="span" style={{ flex: "1 1 12rem" }}>
              {draft.title.trim() || "Untitled"}
            </Text>
            <Text as="span" tone="muted">
              {relativeTime(new Date(draft.savedAt), new Date())}
            </Text>
            <CopyButton label={`${draft.title.trim() || "Untitled"} as Markdown`} text={postMarkdown(draft)} />
            <Button
              size="small"
              variant="quietDanger"
              onClick={() => void deleteDraft(draft.sessionId).then(load, (error) => toasts.failure("Couldn't delete your text", error))}
            >
              Delete
            </Button>
          </Row>
        ))}
      </Stack>
    </Stack>
  );
}
