import { type FormEvent, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { ChoiceGroup } from "../../ui/choice-group.tsx";
import { DayField } from "../../ui/day-field.tsx";
import { Row, Stack } from "../../ui/layout.tsx";
import { type Range, type RangeChoice, rangeErrors } from "./range.ts";

const choices = [
  { value: 7, label: "7 days" },
  { value: 30, label: "30 days" },
  { value: 90, label: "90 days" },
  { value: 365, label: "12 months" },
  { value: "own", label: "Custom" },
] as const satisfies readonly { value: RangeChoice; label: string }[];

interface RangeBarProps {
  choice: RangeChoice;
  /** The range in the URL. */
  typed: Range;
  onChoose: (choice: RangeChoice) => void;
  onRange: (range: Range) => void;
}

/** Preset or custom range. */
export function RangeBar({ choice, typed, onChoose, onRange }: RangeBarProps) {
  return (
    <Stack className="screen-only">
      <ChoiceGroup legend="Days" hideLegend choices={choices} value={choice} onChange={onChoose} />
      {choice === "own" && <CustomRange key={`${typed.from} ${typed.to}`} typed={typed} onRange={onRange} />}
    </Stack>
  );
}

/** Two dates, applied when both are valid. */
function CustomRange({ typed, onRange }: Pick<RangeBarProps, "typed" | "onRange">) {
  const [days, setDays] = useState(typed);
  const [errors, setErrors] = useState(() => rangeErrors(typed));

  function submit(event: FormEvent) {
    event.preventDefault();
    const problems = rangeErrors(days);
    setErrors(problems);
    if (Object.keys(problems).length === 0) onRange(days);
  }

  return (
    <Row as="form" gap={4} align="start" noValidate onSubmit={submit}>
      {(["from", "to"] as const).map((name) => (
        <DayField
          key={name}
          label={name === "from" ? "Start date" : "End date"}
          value={days[name]}
          error={errors[name]}
          onChange={(value) => {
            setDays({ ...days, [name]: value });
            setErrors({});
          }}
        />
      ))}
      <Button type="submit" style={{ marginTop: "1.8125rem" }}>
        Apply
      </Button>
    </Row>
  );
}
