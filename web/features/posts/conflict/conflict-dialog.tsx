import { useCallback, useMemo, useRef, useState } from "react";
import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import { settle } from "#contract/merge/merge-versions.ts";
import type { Choices } from "#contract/merge/types.ts";
import type { Post } from "#contract/posts.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { useLatest } from "../../../lib/use-latest.ts";
import { readPost } from "../post-calls.ts";
import { useTags } from "../tags/use-tags.ts";
import { tagNames } from "../tags/tags.ts";
import { contentOf } from "../session/versions.ts";
import type { Writing } from "../session/write.ts";
import type { Conflict } from "../session/state.ts";
import { VersionComparison } from "../history/version-comparison.tsx";
import { MergeChoices } from "./merge-choices.tsx";
import { countWords, everywhere, isDecided, mergedButton, ownersOf, questionsOf } from "./merge-questions.ts";
import css from "./conflict-dialog.module.css";

interface ConflictDialogProps {
  conflict: Conflict;
  post: Post;
  busy: boolean;
  /** What is on the screen. */
  read(): Promise<Writing>;
  /** 'Save merged': both as one. */
  onMerge(choices: Choices): void;
  onOverwrite(): void;
  onCopy(): void;
  onDiscard(): void;
  onCancel(): void;
}

/** From here on each by itself is a chore. */
const manyQuestions = 4;

const labels = { mine: "Yours", theirs: "Theirs" };
const labelsOfMerged = { mine: "Merged", theirs: "Yours" };

/**
 * Somebody else saved first, and both do not go together by themselves, or not unseen: shows what is to be decided, side by side, and asks.
 * Nothing is sent before the answer. Source: specification, section 4.
 */
export function ConflictDialog({ conflict, post, busy, read, onMerge, onOverwrite, onCopy, onDiscard, onCancel }: ConflictDialogProps) {
  const { merge, theirs, archived } = conflict;
  const [choices, setChoices] = useState<Choices>({ blocks: {} });
  const [misses, setMisses] = useState(false);
  const [showsAll, setShowsAll] = useState(false);
  const asked = useRef<HTMLDivElement>(null);
  const questions = merge ? questionsOf(merge) : [];
  const left = questions.filter((question) => !isDecided(question, choices));
  const who = conflict.updatedByName ?? "Somebody";
  const when = conflict.updatedAt ? relativeTime(conflict.updatedAt, new Date()).toLowerCase() : null;

  function choose(next: Choices) {
    setChoices(next);
    setMisses(false);
  }
  function saveMerged() {
    if (left.length === 0) return onMerge(choices);
    setMisses(true);
    asked.current?.querySelector<HTMLElement>("[data-decided=false] input")?.focus();
  }

  return (
    <Dialog
      open
      title="Post updated elsewhere"
      width={questions.length > 0 ? "48rem" : "40rem"}
      onClose={busy ? undefined : onCancel}
      footer={
        <>
          <Button disabled={busy} onClick={onCancel}>
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
      <p>
        <strong>{who}</strong> {archived ? archivedWords(when) : newerWords(when, merge !== null)}
        {theirs?.status === "published" && post.status !== "published" && " It is published now: what you save is live at once."} If you
        discard yours, it is kept on this device and offered again.
      </p>
      {merge && (
        <div ref={asked}>
          <p className={css.count} role="status">
            {countWords(merge, questions, choices, who)}
          </p>
          {questions.length >= manyQuestions && (
            <div className={css.all}>
              <Button size="small" disabled={busy} onClick={() => choose(everywhere(questions, "mine"))}>
                Yours everywhere
              </Button>
              <Button size="small" disabled={busy} onClick={() => choose(everywhere(questions, "theirs"))}>
                {ownersOf(who)} everywhere
              </Button>
            </div>
          )}
          <MergeChoices merge={merge} questions={questions} choices={choices} name={who} disabled={busy} onChoose={choose} />
          {misses && (
            <p role="alert" className={css.missing}>
              Please choose what stays, {left.length === 1 ? "one place is" : `${left.length} places are`} left.
            </p>
          )}
        </div>
      )}
      {questions.length > 0 ? (
        <details className={css.differs} onToggle={(event) => setShowsAll(event.currentTarget.open)}>
          <summary>All that differs</summary>
          {showsAll && <Comparison conflict={conflict} post={post} read={read} />}
        </details>
      ) : (
        <Comparison conflict={conflict} post={post} read={read} />
      )}
    </Dialog>
  );
}

/** Where nothing is left to decide: what comes of it, so that nobody sends out what they have not seen. Else both texts. */
function Comparison({ conflict, post, read }: Pick<ConflictDialogProps, "conflict" | "post" | "read">) {
  const { tags: offered } = useTags(post.workspace_id);
  const tags = useLatest(offered);
  const merged = useMemo(() => conflict.merge && settle(conflict.merge, { blocks: {} }), [conflict.merge]);
  const load = useCallback(async () => {
    const [theirs, screen] = await Promise.all([conflict.theirs ?? readPost(post.id), read()]);
    const named = (keys: readonly string[]) => tagNames(keys, tags.current);
    const mine = { ...screen, tags: named(screen.tags) };
    if (merged) return { mine: { ...merged, tags: named(merged.tags), content: cleanBlocks(merged.blocks, unlimited) }, theirs: mine };
    return { mine, theirs: { ...comparedOf(theirs), tags: named(theirs.tags), content: contentOf(theirs) } };
  }, [conflict.theirs, post.id, read, tags, merged]);
  return (
    <div className={css.comparison}>
      <VersionComparison load={load} labels={merged ? labelsOfMerged : labels} />
    </div>
  );
}

const comparedOf = ({ title, summary, cover_image: cover }: Post) => ({ title, summary, cover });

const newerWords = (when: string | null, merges: boolean) =>
  `saved a newer version of this post${when ? ` ${when}` : ""}. ${merges ? mergingWords : overwritingWords}`;
const mergingWords =
  "Merged, the post has what each of you changed. Saving yours anyway puts it in the place of theirs, which stays in the history.";
const overwritingWords =
  "Saving yours puts its title and text in the place of theirs, and its tags, summary and cover where you changed them; theirs stays in the history.";
const archivedWords = (when: string | null) =>
  `archived this post${when ? ` ${when}` : ""}. Restoring it brings it back as a draft with your text; the archived one stays in the history.`;
