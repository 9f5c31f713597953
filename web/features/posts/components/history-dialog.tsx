import { useCallback, useState } from "react";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { parseBlocks } from "#contract/blocks/parse.ts";
import type { Post } from "#contract/posts.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { readRevision, useRevisions } from "../api/revision-calls.ts";
import type { Writing } from "../model/write.ts";
import { RevisionList } from "./revision-list.tsx";
import { VersionComparison } from "./version-comparison.tsx";
import css from "./history-dialog.module.css";

interface HistoryDialogProps {
  post: Post;
  canRestore: boolean;
  busy: boolean;
  /** What is on the screen. */
  read(): Promise<Writing>;
  onRestore(version: number): void;
  onClose(): void;
}

const labels = { mine: "Now", theirs: "Then" };

/** Every saved version: who and when, how it differs from what is on the screen, and a way back to it. Source: product decision 7. */
export function HistoryDialog({ post, canRestore, busy, read, onRestore, onClose }: HistoryDialogProps) {
  const { data, error, mutate } = useRevisions(post.id);
  const earlier = data?.revisions.filter((revision) => revision.version < post.version);
  const [chosen, setChosen] = useState<number | null>(null);
  const version = chosen ?? earlier?.[0]?.version ?? null;

  const load = useCallback(async () => {
    const [then, now] = await Promise.all([readRevision(post.id, version ?? 0), read()]);
    return { mine: now, theirs: { title: then.title, content: parseBlocks(then.content_raw) ?? cleanBlocks([]) } };
  }, [post.id, version, read]);

  return (
    <Dialog
      open
      title="History"
      width="56rem"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {canRestore && version !== null && (
            <Button variant="primary" icon="undo" busy={busy} onClick={() => onRestore(version)}>
              Restore version {version}
            </Button>
          )}
        </>
      }
    >
      {error && (
        <p role="alert">
          The history could not be read.{" "}
          <Button size="small" icon="refresh" onClick={() => void mutate()}>
            Try again
          </Button>
        </p>
      )}
      {earlier?.length === 0 && <p className={css.none}>There is only one version so far. Every save adds another one.</p>}
      {earlier && version !== null && (
        <div className={css.columns}>
          <RevisionList revisions={earlier} chosen={version} onChoose={setChosen} />
          <VersionComparison load={load} labels={labels} />
        </div>
      )}
    </Dialog>
  );
}
