import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { ChoiceGroup } from "../../components/choice-group.tsx";
import { DayField } from "../../components/day-field.tsx";
import { type Range, type RangeChoice, rangeErrors } from "./range.ts";
import css from "./range-bar.module.css";

const choices = [
  { value: 7, label: "7 days" },
  { value: 30, label: "30 days" },
  { value: 90, label: "90 days" },
  { value: 365, label: "12 months" },
  { value: "own", label: "Other days" },
] as const satisfies readonly { value: RangeChoice; label: string }[];

interface RangeBarProps {
  choice: RangeChoice;
  /** What stands in the address. */
  typed: Range;
  onChoose: (choice: RangeChoice) => void;
  onRange: (range: Range) => void;
}

/** Which days: a few that are often wanted, or two that are typed. */
export function RangeBar({ choice, typed, onChoose, onRange }: RangeBarProps) {
  return (
    <div className={css.bar}>
      <ChoiceGroup legend="Days" hideLegend choices={choices} value={choice} onChange={onChoose} />
      {choice === "own" && <OwnDays key={`${typed.from} ${typed.to}`} typed={typed} onRange={onRange} />}
    </div>
  );
}

/** Two days. They are asked for when both are right; what is not says so at its field and stays as it was typed. */
function OwnDays({ typed, onRange }: Pick<RangeBarProps, "typed" | "onRange">) {
  const [days, setDays] = useState(typed);
  const [errors, setErrors] = useState(() => rangeErrors(typed));

  function submit(event: FormEvent) {
    event.preventDefault();
    const found = rangeErrors(days);
    setErrors(found);
    if (Object.keys(found).length === 0) onRange(days);
  }

  return (
    <form className={css.own} noValidate onSubmit={submit}>
      {(["from", "to"] as const).map((name) => (
        <DayField
          key={name}
          label={name === "from" ? "First day" : "Last day"}
          value={days[name]}
          error={errors[name]}
          onChange={(value) => {
            setDays({ ...days, [name]: value });
            setErrors({});
          }}
        />
      ))}
      <Button type="submit" className={css.show}>
        Show
      </Button>
    </form>
  );
}
