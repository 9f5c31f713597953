import { useCallback, useEffect, useState } from "react";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { fieldsOf } from "#contract/rules/post-content.ts";
import type { Block } from "#contract/blocks/block-types.ts";
import { type ComparedBlock, type Comparison, withBlockBack } from "#contract/merge/compare.ts";
import { parseBlocks } from "#contract/blocks/parse.ts";
import type { Post } from "#contract/posts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Loading, Skeleton } from "../../ui/skeleton.tsx";
import { moment } from "../../lib/moment.ts";
import { useLatest } from "../../lib/use-latest.ts";
import { readRevision, useRevisions } from "./revision-calls.ts";
import { useTags } from "../posts/tags/use-tags.ts";
import { tagNames } from "../posts/tags/tags.ts";
import type { Writing } from "../session/write.ts";
import { RevisionList } from "./revision-list.tsx";
import { areDifferent, type ComparisonLabels, VersionComparison } from "./version-comparison.tsx";
import { Row, Stack, Text } from "../../ui/layout.tsx";
import css from "./history.module.css";

interface HistoryDialogProps {
  post: Post;
  /** Initially selected version; null: the newest one that differs from the editor. */
  since: number | null;
  canRestore: boolean;
  busy: boolean;
  read(): Promise<Writing>;
  onRestore(version: number): void;
  onRestoreBlock(change: (now: readonly Block[]) => Block[] | null): Promise<boolean>;
  onRefresh(): void;
  onClose(): void;
}

/** Maximum number of saves without changes (such as publishing) that are skipped. */
const maxSkipped = 10;

/** All saved versions with their authors, compared with the editor, and a way to restore them. Source: product decision 7. */
export function HistoryDialog({ post, since, canRestore, busy, read, onRestore, onRestoreBlock, onRefresh, onClose }: HistoryDialogProps) {
  const { data, error, mutate, readOlder } = useRevisions(post.id);
  const { tags: offered } = useTags(post.workspace_id);
  const tags = useLatest(offered);
  const [present] = useState(post.version); // fixed: restoring a block autosaves
  const others = data?.revisions.filter((revision) => revision.version !== present);
  const outdated = others?.some((revision) => revision.version > post.version) ?? false;
  const [chosen, setChosen] = useState(since);
  const [newest, setNewest] = useState<number | null>(null);
  const version = others?.find((revision) => revision.version === chosen)?.version ?? newest;

  const [against, setAgainst] = useState<"now" | "before" | number>("now");
  const [changes, setChanges] = useState(0);
  const [differing, setDiffering] = useState<ReadonlySet<string>>(new Set()); // "version changes" keys of versions that differ from the editor
  const before = others?.find((revision) => revision.version < (version ?? 0))?.version;
  const other = against === "before" ? (before ?? "now") : against === version ? "now" : against;

  const saved = useCallback(
    async (version: number) => {
      const revision = await readRevision(post.id, version);
      return {
        ...fieldsOf(revision),
        tags: tagNames(revision.tags, tags.current),
        content: parseBlocks(revision.content_raw) ?? cleanBlocks([]),
      };
    },
    [post.id, tags],
  );
  const screen = useCallback(async () => {
    const { tags: keys, ...current } = await read();
    return { ...current, tags: tagNames(keys, tags.current) };
  }, [read, tags]);

  const numbers = others?.map((revision) => revision.version).join(" ");
  const findNewest = useLatest(async (versions: readonly number[]) => {
    const current = await screen();
    for (const version of versions.slice(0, maxSkipped)) {
      if (!areDifferent(await saved(version), current)) continue;
      setDiffering((before) => new Set(before).add(`${version} ${changes}`));
      return setNewest(version);
    }
    setNewest(versions[0]!);
  });
  useEffect(() => {
    if (!numbers || version !== null) return;
    const versions = numbers.split(" ").map(Number);
    findNewest.current(versions).catch(() => setNewest(versions[0]!));
  }, [numbers, version, findNewest]);

  const load = useCallback(async () => {
    const [one, two, current] = await Promise.all([saved(version ?? 0), other === "now" ? null : saved(other), screen()]);
    if (areDifferent(one, current)) setDiffering((before) => new Set(before).add(`${version} ${changes}`));
    return isLater(other, version ?? 0) ? { mine: two ?? current, theirs: one } : { mine: one, theirs: two ?? current };
  }, [version, other, saved, screen, changes]);
  const changesNothing = !differing.has(`${version} ${changes}`);

  const canRestoreBlock = canRestore && !outdated && other === "now";
  const restoreBlock = (comparison: Comparison, compared: ComparedBlock): void =>
    void onRestoreBlock((blocks) => withBlockBack(blocks, comparison, compared)).then((done) => done && setChanges((count) => count + 1));

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
            <Button
              variant={changesNothing ? "secondary" : "primary"}
              icon="undo"
              busy={busy}
              disabled={changesNothing}
              onClick={() => onRestore(version)}
            >
              Restore version {version}
            </Button>
          )}
        </>
      }
    >
      <Stack>
        {error && (
          <p role="alert">
            Couldn't load the history.{" "}
            <Button size="small" icon="refresh" onClick={() => void mutate()}>
              Try again
            </Button>
          </p>
        )}
        {outdated && (
          <p>This post has changed since you opened it. Refresh before restoring a version. Your unsaved changes stay on this device.</p>
        )}
        {others?.length === 0 && <Text tone="muted">No earlier versions yet. Each save adds one.</Text>}
        {others && others.length > 0 && version === null && (
          <Loading label="Comparing versions">
            <Skeleton height="6rem" />
          </Loading>
        )}
        {others && version !== null && (
          <div className={css.columns}>
            <RevisionList
              revisions={others}
              present={data?.revisions.find((revision) => revision.version === present)}
              chosen={version}
              onChoose={setChosen}
              readOlder={readOlder}
            />
            <Stack gap={3}>
              <Row as="label">
                <span>Compare version {version} with</span>
                <select
                  style={{ flex: "1 1 12rem", minWidth: 0 }}
                  value={other === "now" ? "now" : against}
                  onChange={({ target: { value } }) => setAgainst(value === "now" || value === "before" ? value : Number(value))}
                >
                  <option value="now">Current draft</option>
                  {before !== undefined && <option value="before">Previous version</option>}
                  {others
                    .filter((revision) => revision.version !== version)
                    .map((revision) => (
                      <option key={revision.version} value={revision.version}>
                        Version {revision.version}, {revision.author_name ?? "Unknown"}, {moment(revision.created_at)}
                      </option>
                    ))}
                </select>
              </Row>
              <VersionComparison
                load={load}
                labels={labelsOf(version, other)}
                onRestoreBlock={canRestoreBlock ? restoreBlock : undefined}
              />
            </Stack>
          </div>
        )}
      </Stack>
    </Dialog>
  );
}

const isLater = (one: "now" | number, other: number): boolean => one === "now" || one > other;

function labelsOf(version: number, other: "now" | number): ComparisonLabels {
  const [own, against] = [`Version ${version}`, other === "now" ? "Now" : `Version ${other}`];
  return isLater(other, version) ? { mine: against, theirs: own } : { mine: own, theirs: against };
}
