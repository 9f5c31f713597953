import { useState } from "react";
import { type Review, reviewEndpoints } from "#contract/reviews.ts";
import { defaultSchedule, earliestDay, latestDay, publishTime, scheduleOf } from "#contract/rules/schedule.ts";
import { Button } from "../../ui/button.tsx";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { type ApiError, call } from "../../lib/api-client.ts";
import { moment } from "../../lib/moment.ts";
import { toasts } from "../../lib/toasts.ts";
import { useProfile } from "../account/profile.ts";
import { scheduleProblem } from "../posts/publishing/schedule-problem.ts";
import { type TimeChoice, TimeFields } from "../posts/publishing/time-fields.tsx";
import type { PostSession, PostView } from "../session/session.ts";
import type { Notice } from "../session/write.ts";
import { storeNote, noteKey, noteOwner, readNote } from "./unsaved-notes.ts";
import { NoteField, useNoteForm } from "./note-field.tsx";
import { emitReviews } from "./review-events.ts";
import type { ReviewState } from "./use-review.ts";
import { Stack, Text } from "../../ui/layout.tsx";

interface AskDialogProps {
  session: PostSession;
  view: PostView;
  standing: ReviewState;
  onClose(): void;
}

export function AskDialog({ session, view, standing, onClose }: AskDialogProps) {
  const [waiting] = useState(() => standing.reviews.find(({ state }) => state === "waiting"));
  const scheduled = waiting ? waiting.publish_at : view.post?.status === "scheduled" ? view.post.publish_at : null;
  const userId = useProfile().data?.user_id;
  const place = noteKey(userId !== undefined && view.post ? noteOwner(userId, view.post.id) : null, "ask");
  const [stored] = useState(() => readNote(place));
  const [when, setWhen] = useState<"now" | "later">((stored ? stored.time : scheduled) ? "later" : "now");
  const [choice, setChoice] = useState(() => stored?.time ?? (scheduled ? scheduleOf(scheduled) : defaultSchedule(new Date())));
  const [timeProblem, setTimeProblem] = useState<Notice | null>(null);
  const { busy, submit, failure, field } = useNoteForm(stored?.note ?? waiting?.note ?? "", act, (note) => store({ note }));

  async function act(note: string) {
    if (view.dirty || view.post === null) {
      if (!(await session.write({ kind: "save" }))) return;
    }
    const { post } = session.getSnapshot();
    if (!post) return;
    const body = { version: post.version, publish_at: when === "later" ? publishTime(choice.day, choice.time) : null, note };
    await call(reviewEndpoints.ask, { params: { id: post.id }, body });
    storeNote(place, null);
    emitReviews(post.id);
    toasts.success("Approval requested", "We've notified owners and admins. You'll get an email when they decide.");
    onClose();
  }
  function store(changes: { note?: string; time?: TimeChoice }) {
    storeNote(place, { note: field.value, time: when === "later" ? choice : undefined, ...changes });
  }

  function ask() {
    const invalid = when === "later" ? scheduleProblem(choice.day, choice.time, new Date()) : null;
    setTimeProblem(invalid);
    if (!invalid) void submit();
  }

  return (
    <Dialog
      open
      title="Request approval"
      width="32rem"
      hasForm
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" icon="send" busy={busy} onClick={ask}>
            Request approval
          </Button>
        </>
      }
    >
      <Stack>
        <Text tone="muted">
          An owner or admin will review and publish this version. If anyone edits it first, request approval again.
          {waiting && ` This replaces ${requester(waiting, userId)} request from ${moment(waiting.asked_at)}.`}
        </Text>
        <ChoiceGroup
          legend="Publish"
          value={when}
          choices={[
            { value: "now", label: "When approved", icon: "send" },
            { value: "later", label: "Later", icon: "clock" },
          ]}
          onChange={(next) => {
            setWhen(next);
            store({ time: next === "later" ? choice : undefined });
            setTimeProblem(null);
          }}
        />
        {when === "later" && (
          <TimeFields
            choice={choice}
            min={earliestDay(new Date())}
            max={latestDay(new Date())}
            problem={timeProblem}
            onChange={(next) => {
              setChoice(next);
              store({ time: next });
              setTimeProblem(null);
            }}
          />
        )}
        <NoteField label="Note" placeholder="What should they check?" {...field} />
        {failure && <FormError title="Couldn't request approval" message={askSentence(failure)} />}
      </Stack>
    </Dialog>
  );
}

const requester = (review: Review, userId: string | undefined): string =>
  review.asked_by === userId ? "your" : review.asked_by_name ? `${review.asked_by_name}’s` : "the";

const askSentence = ({ code, sentence }: ApiError): string =>
  code === "version_conflict" ? "Someone just changed this post. Review it, then request approval again." : sentence;
