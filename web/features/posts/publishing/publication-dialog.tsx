import { useId, useState } from "react";
import { type Post, postEndpoints } from "#contract/posts.ts";
import { publishTime, scheduleOf } from "#contract/rules/schedule.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { FieldFrame } from "../../../ui/field-frame.tsx";
import { FormError } from "../../../ui/form-error.tsx";
import { Stack, Text } from "../../../ui/layout.tsx";
import { ApiError } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { useCall } from "../../../lib/use-call.ts";
import { updatePost } from "../post-calls.ts";
import { emitPostEvent } from "../post-events.ts";
import { summaryOf } from "../post-summary.ts";
import type { Notice } from "../../session/write.ts";
import { TimeFields } from "./time-fields.tsx";

interface PublicationDialogProps {
  post: Post;
  onClose(): void;
}

export function PublicationDialog({ post, onClose }: PublicationDialogProps) {
  const id = useId();
  const published = post.published_at ?? post.updated_at;
  const [first] = useState(() => scheduleOf(published));
  const [choice, setChoice] = useState(first);
  const [authorId, setAuthorId] = useState(post.author_id ?? "");
  const [problem, setProblem] = useState<Notice | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { data, error } = useCall(postEndpoints.authors, { params: { workspaceId: post.workspace_id } });

  const chosen = publishTime(choice.day, choice.time);
  const isMoved = choice.day !== first.day || choice.time !== first.time; // unchanged times keep their seconds
  async function submit() {
    const invalid = isMoved ? dateProblem(chosen, new Date()) : null;
    setProblem(invalid);
    if (invalid) return;
    if (!isMoved && authorId === (post.author_id ?? "")) return onClose();
    setBusy(true);
    setFailure(null);
    try {
      const changes = {
        ...(isMoved && chosen && { published_at: chosen }),
        ...(authorId !== (post.author_id ?? "") && { author_id: authorId === "" ? null : authorId }),
      };
      const saved = await updatePost(post.id, { ...changes, version: post.version }, crypto.randomUUID());
      emitPostEvent({ type: "post-upserted", workspaceId: saved.workspace_id, post: summaryOf(saved) });
      toasts.success("Date and author updated", "The change is in History");
      onClose();
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      if (thrown.code !== "unauthenticated") setFailure(thrown.sentence);
    } finally {
      setBusy(false);
    }
  }

  const authors = data?.authors ?? [];
  const isGone = post.author_id !== null && data !== undefined && !authors.some(({ user_id }) => user_id === post.author_id);
  return (
    <Dialog
      open
      title="Date and author"
      hasForm
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={busy} onClick={() => void submit()}>
            Save
          </Button>
        </>
      }
    >
      <Stack>
        <TimeFields
          choice={choice}
          max={scheduleOf(new Date()).day}
          problem={problem}
          onChange={(next) => (setChoice(next), setProblem(null))}
        />
        <Text tone="muted">Sets where the post appears in lists and feeds. The URL doesn't change.</Text>
        <FieldFrame id={`${id}-author`} label="Author" hint="Shown to readers as the author.">
          <select
            id={`${id}-author`}
            style={{ width: "100%" }}
            aria-describedby={`${id}-author-hint`}
            value={authorId}
            disabled={data === undefined}
            onChange={(event) => setAuthorId(event.target.value)}
          >
            {(data === undefined || isGone || post.author_id === null) && (
              <option value={post.author_id ?? ""}>{post.author_name ?? "Unknown"}</option>
            )}
            {authors.map(({ user_id, full_name }) => (
              <option key={user_id} value={user_id}>
                {full_name}
              </option>
            ))}
          </select>
        </FieldFrame>
        {error && <Text tone="muted">Couldn't load the team. You can still change the date.</Text>}
        {failure && <FormError title="Couldn't update the date and author" message={failure} />}
      </Stack>
    </Dialog>
  );
}

function dateProblem(chosen: string | null, now: Date): Notice | null {
  if (chosen === null) return { title: "Please select a date and time", description: "Enter both a date and a time" };
  return Date.parse(chosen) <= now.getTime() ? null : { title: "This time is in the future", description: "Choose a time in the past" };
}
