import { useState } from "react";
import { type Review, reviewEndpoints } from "#contract/reviews.ts";
import { defaultSchedule, earliestDay, latestDay, publishTime, scheduleOf } from "#contract/rules/schedule.ts";
import { Button } from "../../../components/button.tsx";
import { ChoiceGroup } from "../../../components/choice-group.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { FormError } from "../../../components/form-error.tsx";
import { type ApiError, call } from "../../../lib/api-client.ts";
import { moment } from "../../../lib/moment.ts";
import { toasts } from "../../../lib/toasts.ts";
import { useProfile } from "../../session/profile.ts";
import { scheduleProblem } from "../publishing/schedule-problem.ts";
import { type TimeChoice, TimeFields } from "../publishing/time-fields.tsx";
import type { PostSession, PostView } from "../session/session.ts";
import type { Notice } from "../session/write.ts";
import { keepNote, noteAt, notesOn, readNote } from "./kept-notes.ts";
import { NoteField, useNoted } from "./note-field.tsx";
import { emitReviews } from "./review-events.ts";
import type { Standing } from "./use-review.ts";
import css from "./review.module.css";

interface AskDialogProps {
  session: PostSession;
  view: PostView;
  standing: Standing;
  onClose(): void;
}

/**
 * Asks an owner or administrator to publish what is on the screen: it is saved first, and that version is asked for. What was asked before and still
 * waits is where one begins: the server puts the new request in its place.
 */
export function AskDialog({ session, view, standing, onClose }: AskDialogProps) {
  const [waiting] = useState(() => standing.reviews.find(({ state }) => state === "waiting"));
  const scheduled = waiting ? waiting.publish_at : view.post?.status === "scheduled" ? view.post.publish_at : null;
  const userId = useProfile().data?.user_id;
  const place = noteAt(userId !== undefined && view.post ? notesOn(userId, view.post.id) : null, "ask");
  const [kept] = useState(() => readNote(place));
  const [when, setWhen] = useState<"now" | "later">((kept ? kept.time : scheduled) ? "later" : "now");
  const [choice, setChoice] = useState(() => kept?.time ?? (scheduled ? scheduleOf(scheduled) : defaultSchedule(new Date())));
  const [timeProblem, setTimeProblem] = useState<Notice | null>(null);
  const { busy, submit, refused, field } = useNoted(kept?.note ?? waiting?.note ?? "", act, (note) => keep({ note }));

  async function act(note: string) {
    if (view.dirty || view.post === null) {
      if (!(await session.write({ kind: "save" }))) return; // the page says why
    }
    const { post } = session.getSnapshot();
    if (!post) return;
    const body = { version: post.version, publish_at: when === "later" ? publishTime(choice.day, choice.time) : null, note };
    await call(reviewEndpoints.ask, { params: { id: post.id }, body });
    keepNote(place, null);
    emitReviews(post.id);
    toasts.success("Approval asked for", "Owners and administrators are told. You hear of it when somebody has decided.");
    onClose();
  }
  function keep(changes: { note?: string; time?: TimeChoice }) {
    keepNote(place, { note: field.value, time: when === "later" ? choice : undefined, ...changes });
  }

  function ask() {
    const found = when === "later" ? scheduleProblem(choice.day, choice.time, new Date()) : null;
    setTimeProblem(found);
    if (!found) void submit();
  }

  return (
    <Dialog
      open
      title="Ask for approval"
      width="32rem"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" icon="send" busy={busy} onClick={ask}>
            Ask for approval
          </Button>
        </>
      }
    >
      <p className={css.words}>
        An owner or administrator reads this version and publishes it. If anybody changes the text meanwhile, it is asked for again.
        {waiting && ` This replaces what ${asker(waiting, userId)} asked on ${moment(waiting.asked_at)}.`}
      </p>
      <ChoiceGroup
        legend="To be published"
        value={when}
        choices={[
          { value: "now", label: "Once it is approved", icon: "send" },
          { value: "later", label: "At a time", icon: "clock" },
        ]}
        onChange={(next) => {
          setWhen(next);
          keep({ time: next === "later" ? choice : undefined });
          setTimeProblem(null);
        }}
      />
      {when === "later" && (
        <div className={css.part}>
          <TimeFields
            choice={choice}
            min={earliestDay(new Date())}
            max={latestDay(new Date())}
            problem={timeProblem}
            onChange={(next) => {
              setChoice(next);
              keep({ time: next });
              setTimeProblem(null);
            }}
          />
        </div>
      )}
      <div className={css.part}>
        <NoteField label="Note" placeholder="What should they look at?" {...field} />
      </div>
      {refused && <FormError title="Approval was not asked for" message={askSentence(refused)} />}
    </Dialog>
  );
}

const asker = (review: Review, userId: string | undefined): string =>
  review.asked_by === userId ? "you" : (review.asked_by_name ?? "somebody");

const askSentence = ({ code, sentence }: ApiError): string =>
  code === "version_conflict" ? "Somebody has changed this post a moment ago. Look at it, and ask again." : sentence;
