import { useState } from "react";
import { reviewEndpoints } from "#contract/reviews.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { FormError } from "../../../components/form-error.tsx";
import { call } from "../../../lib/api-client.ts";
import { toasts } from "../../../lib/toasts.ts";
import { requestTimeout } from "../post-calls.ts";
import type { PostSession, PostView } from "../session/session.ts";
import { keepNote, noteAt, notesOn, readNote } from "./kept-notes.ts";
import { NoteField, useNoted } from "./note-field.tsx";
import { emitReviews } from "./review-events.ts";
import type { Standing } from "./use-review.ts";
import css from "./review.module.css";

interface ProposeDialogProps {
  session: PostSession;
  view: PostView;
  standing: Standing;
  userId: string;
  /** What is on the screen is with those who decide: the page shows what readers see again. */
  onProposed(): void;
  onClose(): void;
}

/** What is on the screen becomes a proposal; what readers see stays until somebody accepts it. */
export function ProposeDialog({ session, view, standing, userId, onProposed, onClose }: ProposeDialogProps) {
  const mine = standing.proposals.find(({ state, proposed_by: by, by_key: byKey }) => state === "waiting" && by === userId && !byKey);
  const { post } = view;
  const place = noteAt(post && notesOn(userId, post.id), "propose");
  const [kept] = useState(() => readNote(place));
  const { busy, submit, refused, field } = useNoted(kept?.note ?? mine?.note ?? "", propose, (note) => keepNote(place, { note }));

  async function propose(note: string) {
    if (!post) return;
    const { title, summary, tags, cover, content } = await session.readWhole();
    const body = {
      version: post.version,
      title,
      summary,
      tags: [...tags],
      cover_image: cover,
      content_raw: JSON.stringify(content),
      note,
    };
    const signal = requestTimeout();
    if (mine) await call(reviewEndpoints.changeProposal, { params: { id: post.id, proposalId: mine.id }, body, signal });
    else await call(reviewEndpoints.propose, { params: { id: post.id }, body, signal });
    keepNote(place, null);
    emitReviews(post.id);
    toasts.success("Changes proposed", "Readers see them once a second person accepts them.");
    onClose();
    onProposed();
  }
  if (!post) return null;

  return (
    <Dialog
      open
      title="Propose these changes"
      width="32rem"
      onClose={busy ? undefined : onClose} // what is typed meanwhile would be in neither text
      footer={
        <>
          <Button disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" icon="send" busy={busy} disabled={!view.dirty} onClick={() => void submit()}>
            {mine ? "Replace my proposal" : "Propose"}
          </Button>
        </>
      }
    >
      <p className={css.words}>
        This post is published already. What you have changed waits until an owner or administrator accepts it; until then readers see what
        is there now.
        {mine && " It takes the place of what you have proposed before."}
      </p>
      {!view.dirty && <p className={css.words}>You have not changed anything yet.</p>}
      <NoteField label="Note" placeholder="What is it about?" {...field} />
      {refused && <FormError title="The changes were not proposed" message={refused.sentence} />}
    </Dialog>
  );
}
