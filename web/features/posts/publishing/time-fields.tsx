import { useId, type ReactNode } from "react";
import { clockTime } from "#contract/rules/clock-time.ts";
import { FieldFrame } from "../../../ui/field-frame.tsx";
import { Input } from "../../../ui/input.tsx";
import { Stack, Text } from "../../../ui/layout.tsx";
import { moment, timeZone } from "../../../lib/moment.ts";
import { publishTime } from "#contract/rules/schedule.ts";
import type { Notice } from "../../session/write.ts";
import css from "./publishing.module.css";

export interface TimeChoice {
  /** YYYY-MM-DD. */
  day: string;
  /** HH:MM, or unparsed input. */
  time: string;
}

interface TimeFieldsProps {
  choice: TimeChoice;
  min?: string;
  max?: string;
  problem: Notice | null;
  children?: ReactNode;
  onChange(choice: TimeChoice): void;
}

/** Date and 24-hour time fields in the browser's time zone, with a summary. */
export function TimeFields({ choice, min, max, problem, children, onChange }: TimeFieldsProps) {
  const id = useId();
  const chosen = publishTime(choice.day, choice.time);
  const described = problem ? { "aria-invalid": true, "aria-describedby": `${id}-problem` } : {};
  return (
    <Stack gap={3}>
      <div className={css.fields}>
        <FieldFrame id={`${id}-date`} label="Date">
          <Input
            id={`${id}-date`}
            type="date"
            min={min}
            max={max}
            {...described}
            value={choice.day}
            onChange={(event) => onChange({ ...choice, day: event.target.value })}
          />
        </FieldFrame>
        <FieldFrame id={`${id}-time`} label="Time">
          <Input
            id={`${id}-time`}
            inputMode="numeric"
            autoComplete="off"
            placeholder="09:00"
            maxLength={5}
            {...described}
            value={choice.time}
            onChange={(event) => onChange({ ...choice, time: event.target.value })}
            onBlur={() => onChange({ ...choice, time: clockTime(choice.time) ?? choice.time })}
          />
        </FieldFrame>
      </div>
      {children}
      <Text tone="muted" aria-live="polite">
        {chosen ? `${moment(chosen)}, ${timeZone()}` : timeZone()}
      </Text>
      {problem && (
        <Text id={`${id}-problem`} role="alert" tone="danger">
          <strong>{problem.title}.</strong> {problem.description}.
        </Text>
      )}
    </Stack>
  );
}
