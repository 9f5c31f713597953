import { useCallback, useMemo, useRef, useState } from "react";
import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import { fieldsOf } from "#contract/rules/post-content.ts";
import { settle } from "#contract/merge/merge-versions.ts";
import type { Choices } from "#contract/merge/types.ts";
import type { Post } from "#contract/posts.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { useLatest } from "../../../lib/use-latest.ts";
import { readPost } from "../../posts/post-calls.ts";
import { useTags } from "../../posts/tags/use-tags.ts";
import { tagNames } from "../../posts/tags/tags.ts";
import { contentOf } from "../versions.ts";
import type { Writing } from "../write.ts";
import type { Conflict } from "../state.ts";
import { VersionComparison } from "../../history/version-comparison.tsx";
import { MergeChoices } from "./merge-choices.tsx";
import { countWords, everywhere, isDecided, mergedButton, ownersOf, questionsOf } from "./merge-questions.ts";
import { Row, Stack, Text } from "../../../ui/layout.tsx";
import css from "./conflict.module.css";

interface ConflictDialogProps {
  conflict: Conflict;
  post: Post;
  busy: boolean;
  hasLocalCopy: boolean;
  read(): Promise<Writing>;
  onMerge(choices: Choices): void;
  onOverwrite(): void;
  onCopy(): void;
  onDiscard(): void;
  onCancel(): void;
}

/** Number of conflicts from which one choice for all is offered. */
const manyQuestions = 4;

const labels = { mine: "Yours", theirs: "Theirs" };
const labelsOfMerged = { mine: "Merged", theirs: "Yours" };

/**
 * The save-conflict dialog: shows the conflicts side by side and sends nothing before the answer. Source: specification, section 4.
 */
export function ConflictDialog({
  conflict,
  post,
  busy,
  hasLocalCopy,
  read,
  onMerge,
  onOverwrite,
  onCopy,
  onDiscard,
  onCancel,
}: ConflictDialogProps) {
  const { merge, theirs, archived } = conflict;
  const [choices, setChoices] = useState<Choices>({ blocks: {} });
  const [hasUnresolved, setHasUnresolved] = useState(false);
  const [showsAll, setShowsAll] = useState(false);
  const conflictList = useRef<HTMLDivElement>(null);
  const questions = merge ? questionsOf(merge) : [];
  const left = questions.filter((question) => !isDecided(question, choices));
  const who = conflict.updatedByName ?? "Someone";
  const when = conflict.updatedAt ? relativeTime(conflict.updatedAt, new Date()).toLowerCase() : null;

  function choose(next: Choices) {
    setChoices(next);
    setHasUnresolved(false);
  }
  function saveMerged() {
    if (left.length === 0) return onMerge(choices);
    setHasUnresolved(true);
    conflictList.current?.querySelector<HTMLElement>("[data-decided=false] input")?.focus();
  }

  return (
    <Dialog
      open
      title="Post updated elsewhere"
      width={questions.length > 0 ? "48rem" : "40rem"}
      onClose={busy ? undefined : onCancel}
      footer={
        <>
          <Button autoFocus disabled={busy} onClick={onCancel}>
            Cancel
          </Button>
          <Button disabled={busy} onClick={onDiscard}>
            Discard &amp; Refresh
          </Button>
          {archived ? (
            <>
              <Button icon="copy" disabled={busy} onClick={onCopy}>
                Copy as Markdown
              </Button>
              <Button variant="primary" busy={busy} onClick={onOverwrite}>
                Restore &amp; save
              </Button>
            </>
          ) : (
            <Button variant={merge ? "quietDanger" : "danger"} busy={busy && !merge} disabled={busy} onClick={onOverwrite}>
              Save anyway
            </Button>
          )}
          {merge && (
            <Button variant="primary" busy={busy} onClick={saveMerged}>
              {mergedButton(conflict.intent)}
            </Button>
          )}
        </>
      }
    >
      <Stack>
        <p>
          <strong>{who}</strong> {archived ? archivedWords(when) : newerWords(when, merge !== null)}
          {theirs?.status === "published" &&
            post.status !== "published" &&
            " It's published now, so what you save goes live immediately."}{" "}
          {hasLocalCopy
            ? "If you discard your version, we keep a copy on this device."
            : "We couldn't keep a copy on this device. If you discard your version, it is lost."}
        </p>
        {merge && (
          <Stack ref={conflictList}>
            <Text strong className={css.count} role="status">
              {countWords(merge, questions, choices, who)}
            </Text>
            {questions.length >= manyQuestions && (
              <Row>
                <Button size="small" disabled={busy} onClick={() => choose(everywhere(questions, "mine"))}>
                  Use all of yours
                </Button>
                <Button size="small" disabled={busy} onClick={() => choose(everywhere(questions, "theirs"))}>
                  Use all of {ownersOf(who)}
                </Button>
              </Row>
            )}
            <MergeChoices merge={merge} questions={questions} choices={choices} name={who} disabled={busy} onChoose={choose} />
            {hasUnresolved && (
              <Text role="alert" tone="danger">
                Choose a version for {left.length} more {left.length === 1 ? "conflict" : "conflicts"}
              </Text>
            )}
          </Stack>
        )}
        {questions.length > 0 ? (
          <details className={css.differences} onToggle={(event) => setShowsAll(event.currentTarget.open)}>
            <summary>Show all differences</summary>
            {showsAll && <Comparison conflict={conflict} post={post} read={read} />}
          </details>
        ) : (
          <Comparison conflict={conflict} post={post} read={read} />
        )}
      </Stack>
    </Dialog>
  );
}

/** The merged result if nothing is left to resolve, so that it is seen before it is sent; else both texts. */
function Comparison({ conflict, post, read }: Pick<ConflictDialogProps, "conflict" | "post" | "read">) {
  const { tags: offered } = useTags(post.workspace_id);
  const tags = useLatest(offered);
  const merged = useMemo(() => conflict.merge && settle(conflict.merge, { blocks: {} }), [conflict.merge]);
  const load = useCallback(async () => {
    const [theirs, screen] = await Promise.all([conflict.theirs ?? readPost(post.id), read()]);
    const labelsOf = (keys: readonly string[]) => tagNames(keys, tags.current);
    const mine = { ...screen, tags: labelsOf(screen.tags) };
    if (merged) return { mine: { ...merged, tags: labelsOf(merged.tags), content: cleanBlocks(merged.blocks, unlimited) }, theirs: mine };
    return { mine, theirs: { ...fieldsOf(theirs), tags: labelsOf(theirs.tags), content: contentOf(theirs) } };
  }, [conflict.theirs, post.id, read, tags, merged]);
  return <VersionComparison load={load} labels={merged ? labelsOfMerged : labels} />;
}

const newerWords = (when: string | null, merges: boolean) =>
  `saved a newer version of this post${when ? ` ${when}` : ""}. ${merges ? mergingWords : overwritingWords}`;
const mergingWords = "Save merged keeps both sets of changes. Save anyway replaces their version, which stays in History.";
const overwritingWords =
  "Save anyway replaces their title and content, and any tags, summary or cover you changed. Their version stays in History.";
const archivedWords = (when: string | null) =>
  `archived this post${when ? ` ${when}` : ""}. Restore & save brings it back as a draft with your text. The archived version stays in History.`;
