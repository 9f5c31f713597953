import { useId, useState } from "react";
import { defaultSchedule, earliestDay, latestDay, publishTime, quickTimes, scheduleOf } from "#contract/rules/schedule.ts";
import { Button } from "../../../components/button.tsx";
import { Input } from "../../../components/input.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { FieldFrame } from "../../../components/field-frame.tsx";
import { moment, timeZone } from "./moment.ts";
import { scheduleProblem } from "./schedule-problem.ts";
import type { Notice } from "../session/write.ts";
import css from "./schedule-dialog.module.css";

interface ScheduleDialogProps {
  /** When the post is scheduled already. */
  publishAt: string | null;
  busy: boolean;
  /** ISO 8601, in the future. */
  onSchedule(publishAt: string): void;
  onClose(): void;
}

/** Date, time and quick times for the publication, in the browser's time zone. Source: specification, section 5. */
export function ScheduleDialog({ publishAt, busy, onSchedule, onClose }: ScheduleDialogProps) {
  const id = useId();
  const [choice, setChoice] = useState(() => (publishAt ? scheduleOf(publishAt) : defaultSchedule(new Date())));
  const [problem, setProblem] = useState<Notice | null>(null);
  const chosen = publishTime(choice.day, choice.time);

  const change = (part: Partial<typeof choice>) => {
    setChoice({ ...choice, ...part });
    setProblem(null);
  };
  const submit = () => {
    const found = scheduleProblem(choice.day, choice.time, new Date());
    setProblem(found);
    if (!found && chosen) onSchedule(chosen);
  };

  const described = problem ? { "aria-invalid": true, "aria-describedby": `${id}-problem` } : {};
  return (
    <Dialog
      open
      title="Schedule publication"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" icon="clock" busy={busy} onClick={submit}>
            Schedule
          </Button>
        </>
      }
    >
      <div className={css.fields}>
        <FieldFrame id={`${id}-date`} label="Date">
          <Input
            id={`${id}-date`}
            type="date"
            min={earliestDay(new Date())}
            max={latestDay(new Date())}
            {...described}
            value={choice.day}
            onChange={(event) => change({ day: event.target.value })}
          />
        </FieldFrame>
        <FieldFrame id={`${id}-time`} label="Time">
          <Input
            id={`${id}-time`}
            type="time"
            value={choice.time}
            {...described}
            onChange={(event) => change({ time: event.target.value })}
          />
        </FieldFrame>
      </div>
      <div className={css.quick} role="group" aria-label="Quick times">
        {quickTimes.map((time) => (
          <Button key={time} size="small" aria-pressed={choice.time === time} onClick={() => change({ time })}>
            {time}
          </Button>
        ))}
      </div>
      <p className={css.summary} aria-live="polite">
        {chosen ? `${moment(chosen)}, ${timeZone()}` : timeZone()}
      </p>
      {problem && (
        <p id={`${id}-problem`} role="alert" className={css.problem}>
          <strong>{problem.title}.</strong> {problem.description}.
        </p>
      )}
    </Dialog>
  );
}
