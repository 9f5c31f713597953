import { useEffect, useRef, useState } from "react";
import { blockTypes } from "#contract/blocks/block-types.ts";
import { isEmpty } from "#contract/blocks/is-empty.ts";
import type { EditorOutput } from "#contract/blocks/schema.ts";
import { blockText } from "#contract/blocks/plain-text.ts";
import { compareVersions, type ComparedBlock, type Comparison } from "#contract/merge/compare.ts";
import type { CoverImage } from "#contract/rules/cover.ts";
import { detailWords } from "../posts/details/detail-words.ts";
import type { PostFields } from "#contract/rules/post-content.ts";
import { Button } from "../../ui/button.tsx";
import { Loading, Skeleton } from "../../ui/skeleton.tsx";
import { classNames } from "../../lib/class-names.ts";
import { ComparedHtml } from "./block-view.tsx";
import { Row, Stack, Text } from "../../ui/layout.tsx";
import css from "./history.module.css";

export interface ComparedVersion extends PostFields {
  content: EditorOutput;
}

export interface ComparisonLabels {
  /** The later or own version: text only in it is marked as inserted. */
  mine: string;
  theirs: string;
}

interface VersionComparisonProps {
  load(): Promise<{ mine: ComparedVersion; theirs: ComparedVersion }>;
  labels: ComparisonLabels;
  onRestoreBlock?: (comparison: Comparison, block: ComparedBlock) => void;
}

export function VersionComparison({ load, labels, onRestoreBlock }: VersionComparisonProps) {
  const comparison = useComparison(load);
  const list = useRef<HTMLUListElement>(null);
  const changed = useRef(false); // the pressed button disappears with its line
  useEffect(() => {
    if (!changed.current || typeof comparison === "string") return;
    changed.current = false;
    list.current?.focus({ preventScroll: true });
  }, [comparison]);
  if (comparison === "failed") return <Text tone="muted">Couldn't load the other version. Your text is safe.</Text>;
  if (comparison === "loading") {
    return (
      <Loading label="Comparing versions">
        <Skeleton height="6rem" />
      </Loading>
    );
  }
  const { title, summary, tags, cover_image: cover, details } = comparison;
  return (
    <Stack gap={2}>
      <Row as="p" className={css.legend}>
        <span className={css.deleted}>{labels.theirs}</span> <span className={css.inserted}>{labels.mine}</span>
        <span>{summed(comparison)}</span>
      </Row>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable, so it must be reachable by keyboard */}
      <Stack as="ul" gap={0} divided ref={list} className={css.lines} tabIndex={0} aria-label="Differences">
        {title !== null && <Field name="Title" html={title} />}
        {summary !== null && <Field name="Summary" html={summary} />}
        {tags && <Field name="Tags" html={[...tags.deleted.map(marked("del")), ...tags.inserted.map(marked("ins"))].join(" ")} />}
        {cover && <Field name="Cover" html={[marked("del")(coverWords(cover.before)), marked("ins")(coverWords(cover.after))].join(" ")} />}
        {details && <Field name="Details" html={detailsHtml(details)} />}
        {runs(comparison.blocks).map((run) =>
          Array.isArray(run) ? (
            <li key={run[0]!.key} className={css.unchanged}>
              {run.length} identical {run.length === 1 ? "block" : "blocks"}
            </li>
          ) : (
            <Line
              key={run.key}
              compared={run.compared}
              labels={labels}
              onRestoreBlock={
                onRestoreBlock &&
                (() => {
                  changed.current = true;
                  onRestoreBlock(comparison, run.compared);
                })
              }
            />
          ),
        )}
      </Stack>
    </Stack>
  );
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const marked =
  (name: "ins" | "del") =>
  (words: string): string =>
    `<${name}>${words.replace(/[&<>]/g, (sign) => entities[sign]!)}</${name}>`;

function detailsHtml({ before, after }: NonNullable<Comparison["details"]>): string {
  const [old, now] = [detailWords(before), detailWords(after)];
  const deleted = old.filter((text) => !now.includes(text)).map(marked("del"));
  return [...deleted, ...now.filter((text) => !old.includes(text)).map(marked("ins"))].join(" ");
}

function coverWords(cover: CoverImage): string {
  if (cover === null) return "first image";
  return cover === "none" ? "none" : cover.alt || "custom image";
}

function Field({ name, html }: { name: string; html: string }) {
  return (
    <li className={css.line}>
      <span className={css.change}>{name}</span>
      <ComparedHtml html={`<p>${html}</p>`} />
    </li>
  );
}

const isDifferent = ({ where, moved }: ComparedBlock): boolean => where !== "same" || moved;

interface Keyed {
  key: string;
  compared: ComparedBlock;
}

function runs(blocks: readonly ComparedBlock[]): (Keyed | Keyed[])[] {
  const result: (Keyed | Keyed[])[] = [];
  for (const [place, compared] of blocks.entries()) {
    const one = { key: String(place), compared };
    const last = result.at(-1);
    if (isDifferent(compared)) result.push(one);
    else if (Array.isArray(last)) last.push(one);
    else result.push([one]);
  }
  return result;
}

const count = (number: number, word: string): string | false => number > 0 && `${number} ${word}`;
function summed({ counts }: Comparison): string {
  const words = [
    count(counts.changed, "changed"),
    count(counts.inserted, "added"),
    count(counts.deleted, "deleted"),
    count(counts.moved, "moved"),
  ].filter(Boolean);
  return words.length === 0 ? "" : `Blocks: ${words.join(", ")}`;
}

const restoreLabels = { changed: "Restore block", deleted: "Restore block", inserted: "Remove block", same: "" };

function Line({
  compared,
  labels,
  onRestoreBlock,
}: {
  compared: ComparedBlock;
  labels: ComparisonLabels;
  onRestoreBlock?: (() => void) | undefined;
}) {
  const { where, moved, html, notes } = compared;
  const block = (compared.after ?? compared.before)!;
  const words = [
    where === "inserted"
      ? `Only in: ${labels.mine}`
      : where === "deleted"
        ? `Only in: ${labels.theirs}`
        : where === "changed"
          ? "Changed"
          : "",
    moved && "Moved",
    notes.includes("type") && `Was: ${blockTypes[compared.before!.type].phrase}`,
    notes.includes("marks") && "Marks or links",
    notes.includes("settings") && "Settings",
  ].filter(Boolean);
  const excerpt =
    blockText(compared.before ?? block)
      .join(" ")
      .slice(0, 60) || blockTypes[block.type].wordless;
  return (
    <li className={classNames(css.line, where === "inserted" && css.inserted, where === "deleted" && css.deleted)}>
      <span className={css.change}>
        {words.map((word) => (
          <span key={String(word)}>{word}</span>
        ))}
      </span>
      <div className={css.content}>
        {isBare(block) && !/<(?:ins|del)>/.test(html) ? (
          <Text as="span" tone="muted">
            {blockTypes[block.type].wordless}
          </Text>
        ) : (
          <ComparedHtml html={html} />
        )}
        {onRestoreBlock && where !== "same" && (
          <Button variant="quiet" size="small" icon="undo" aria-label={`${restoreLabels[where]}: ${excerpt}`} onClick={onRestoreBlock}>
            {restoreLabels[where]}
          </Button>
        )}
      </div>
    </li>
  );
}

const isBare = (block: NonNullable<ComparedBlock["after"]>): boolean =>
  block.type !== "delimiter" && isEmpty({ time: 0, version: "2.28.2", blocks: [block] });

type State = Comparison | "loading" | "failed";

export function areDifferent(one: ComparedVersion, other: ComparedVersion): boolean {
  const { title, summary, tags, cover_image, details, blocks } = compareVersions(versionOf(one), versionOf(other));
  return [title, summary, tags, cover_image, details].some((field) => field !== null) || blocks.some(isDifferent);
}

const versionOf = ({ content, ...fields }: ComparedVersion) => ({ ...fields, blocks: content.blocks });

function useComparison(load: VersionComparisonProps["load"]): State {
  const [comparison, setComparison] = useState<State>("loading");
  useEffect(() => {
    let isMounted = true;
    setComparison("loading");
    load().then(
      ({ mine, theirs }) => isMounted && setComparison(compareVersions(versionOf(theirs), versionOf(mine))),
      () => isMounted && setComparison("failed"),
    );
    return () => {
      isMounted = false;
    };
  }, [load]);
  return comparison;
}
