import { useCallback, useState } from "react";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { parseBlocks } from "#contract/blocks/parse.ts";
import type { Post } from "#contract/posts.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { useLatest } from "../../../lib/use-latest.ts";
import { readRevision, useRevisions } from "./revision-calls.ts";
import { useTags } from "../tags/use-tags.ts";
import { tagNames } from "../tags/tags.ts";
import type { Writing } from "../session/write.ts";
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
  /** Shows what the server has now in the place of what is on the screen. */
  onRefresh(): void;
  onClose(): void;
}

const labels = { mine: "Now", theirs: "Then" };

/** Every saved version: who and when, how it differs from what is on the screen, and a way back to it. Source: product decision 7. */
export function HistoryDialog({ post, canRestore, busy, read, onRestore, onRefresh, onClose }: HistoryDialogProps) {
  const { data, error, mutate, readOlder } = useRevisions(post.id);
  const { tags: offered } = useTags(post.workspace_id);
  const tags = useLatest(offered);
  const others = data?.revisions.filter((revision) => revision.version !== post.version);
  const outdated = others?.some((revision) => revision.version > post.version) ?? false;
  const [chosen, setChosen] = useState<number | null>(null);
  const version = chosen ?? others?.[0]?.version ?? null;

  const load = useCallback(async () => {
    const [then, now] = await Promise.all([readRevision(post.id, version ?? 0), read()]);
    const named = (keys: readonly string[]) => tagNames(keys, tags.current);
    const { title, summary, cover_image: cover } = then;
    const theirs = { title, summary, cover, tags: named(then.tags), content: parseBlocks(then.content_raw) ?? cleanBlocks([]) };
    return { mine: { ...now, tags: named(now.tags) }, theirs };
  }, [post.id, version, read, tags]);

  return (
    <Dialog
      open
      title="History"
      width="56rem"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {canRestore && outdated && <Button onClick={onRefresh}>Discard &amp; Refresh</Button>}
          {canRestore && !outdated && version !== null && (
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
      {outdated && (
        <p className={css.outdated}>
          This post was saved again since you opened it. Refresh it before you bring a version back; what you have not saved is kept on this
          device.
        </p>
      )}
      {others?.length === 0 && <p className={css.none}>There is only one version so far. Every save adds another one.</p>}
      {others && version !== null && (
        <div className={css.columns}>
          <RevisionList
            revisions={others}
            present={data?.revisions.find((revision) => revision.version === post.version)}
            chosen={version}
            onChoose={setChosen}
            readOlder={readOlder}
          />
          <VersionComparison load={load} labels={labels} />
        </div>
      )}
    </Dialog>
  );
}
