import { useState } from "react";
import { reviewEndpoints } from "#contract/reviews.ts";
import { fieldsBody } from "#contract/rules/post-content.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { requestTimeout } from "../posts/post-calls.ts";
import type { PostSession, PostView } from "../session/session.ts";
import { storeNote, noteKey, noteOwner, readNote } from "./unsaved-notes.ts";
import { NoteField, useNoteForm } from "./note-field.tsx";
import { emitReviews } from "./review-events.ts";
import type { ReviewState } from "./use-review.ts";
import { Stack, Text } from "../../ui/layout.tsx";

interface ProposeDialogProps {
  session: PostSession;
  view: PostView;
  standing: ReviewState;
  userId: string;
  onProposed(): void;
  onClose(): void;
}

export function ProposeDialog({ session, view, standing, userId, onProposed, onClose }: ProposeDialogProps) {
  const mine = standing.proposals.find(({ state, proposed_by: by, by_key: byKey }) => state === "waiting" && by === userId && !byKey);
  const { post } = view;
  const place = noteKey(post && noteOwner(userId, post.id), "propose");
  const [stored] = useState(() => readNote(place));
  const { busy, submit, failure, field } = useNoteForm(stored?.note ?? mine?.note ?? "", propose, (note) => storeNote(place, { note }));

  async function propose(note: string) {
    if (!post) return;
    const writing = await session.readWhole();
    const body = { version: post.version, ...fieldsBody(writing), content_raw: JSON.stringify(writing.content), note };
    const signal = requestTimeout();
    if (mine) await call(reviewEndpoints.changeProposal, { params: { id: post.id, proposalId: mine.id }, body, signal });
    else await call(reviewEndpoints.propose, { params: { id: post.id }, body, signal });
    storeNote(place, null);
    emitReviews(post.id);
    toasts.success("Changes proposed", "They go live once someone else accepts them.");
    onClose();
    onProposed();
  }
  if (!post) return null;

  return (
    <Dialog
      open
      title="Propose changes"
      width="32rem"
      hasForm
      onClose={busy ? undefined : onClose} // text typed meanwhile would be lost
      footer={
        <>
          <Button disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" icon="send" busy={busy} disabled={!view.dirty} onClick={() => void submit()}>
            {mine ? "Replace proposal" : "Propose"}
          </Button>
        </>
      }
    >
      <Stack>
        <Text tone="muted">
          This post is live. Your changes go live once an owner or admin accepts them.
          {mine && " This replaces your earlier proposal."}
        </Text>
        {!view.dirty && <Text tone="muted">You haven't changed anything yet.</Text>}
        <NoteField label="Note" placeholder="What did you change?" {...field} />
        {failure && <FormError title="Couldn't propose the changes" message={failure.sentence} />}
      </Stack>
    </Dialog>
  );
}
