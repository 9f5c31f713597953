import { type Dispatch, type SetStateAction, useId, useState } from "react";
import { audienceMaxTests } from "#contract/limits.ts";
import type { Audience } from "#contract/rules/audience.ts";
import { afterPointer } from "../../../lib/after-pointer.ts";
import { Button } from "../../../ui/button.tsx";
import { ChoiceGroup } from "../../../ui/choice-group.tsx";
import { FieldFrame } from "../../../ui/field-frame.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Input } from "../../../ui/input.tsx";
import { Row, Stack, Text } from "../../../ui/layout.tsx";
import { Select, SelectRow } from "../../../ui/select.tsx";
import {
  type AudienceRow,
  type AudienceRows,
  audienceWords,
  emptyRow,
  hasValue,
  operators,
  rowProblem,
  rowsOf,
  ruleOf,
} from "./audience-rows.ts";
import css from "./details.module.css";

interface AudienceFieldsProps {
  audience: Audience | null;
  /** Conditions as typed, as long as they aren't stored; they outlive the folded panel. */
  typed: AudienceRows | null;
  canWrite: boolean;
  onType: Dispatch<SetStateAction<AudienceRows | null>>;
  onChange(audience: Audience | null): void;
}

const choices = [
  { value: "everyone", label: "Everyone" },
  { value: "internal", label: "Team only" },
  { value: "some", label: "Some readers" },
] as const;

const hints = {
  everyone: "Readers see it on the page, in feeds, emails and the widget.",
  internal: "Only members of the workspace see it, in Tidings.",
  some: "Only the widget shows it, to readers whom your product identifies.",
};

const startOf = (audience: Audience | null): AudienceRows | null =>
  audience === null || audience === "internal" ? { match: "all", rows: [emptyRow] } : rowsOf(audience);

/** Who can see a post. As long as a condition isn't valid, the post is for the team, so that it never shows to everyone by mistake. */
export function AudienceFields({ audience, typed, canWrite, onType, onChange }: AudienceFieldsProps) {
  /** Shows no problems until it is left. */
  const [editing, setEditing] = useState<number>();

  const chosen = typed !== null ? "some" : audience === null ? "everyone" : audience === "internal" ? "internal" : "some";
  const shown = typed ?? startOf(audience);
  const type = (next: AudienceRows) => {
    onType(next);
    onChange(ruleOf(next) ?? "internal");
  };
  const choose = (choice: (typeof choices)[number]["value"]) => {
    if (choice === "some") {
      setEditing(0);
      return type(startOf(null)!);
    }
    onType(null);
    onChange(choice === "internal" ? choice : null);
  };
  // Shows valid conditions as stored, and a colleague's later ones.
  const leave = (place: number) => () => {
    setEditing((now) => (now === place ? undefined : now));
    onType((now) => (now === null || ruleOf(now) === null ? now : null));
  };
  const changeRow = (place: number, change: Partial<AudienceRow>) =>
    shown && type({ ...shown, rows: shown.rows.map((row, at) => (at === place ? { ...row, ...change } : row)) });

  return (
    <Stack gap={4}>
      <Stack gap={2}>
        <ChoiceGroup legend="Who can see it?" choices={choices} value={chosen} disabled={!canWrite} onChange={choose} />
        <Text tone="muted" size="small">
          {hints[chosen]}
        </Text>
      </Stack>
      {chosen === "some" && shown === null && audience !== null && (
        <Text>{audienceWords(audience)}. A program set this rule. To change it here, choose another audience first.</Text>
      )}
      {chosen === "some" && shown !== null && (
        <>
          {shown.rows.length > 1 && (
            <SelectRow
              label="Readers match"
              value={shown.match}
              options={[
                ["all", "all conditions"],
                ["any", "one of the conditions"],
              ]}
              disabled={!canWrite}
              onChange={(match) => type({ ...shown, match })}
            />
          )}
          {shown.rows.map((row, place) => (
            <Condition
              key={place}
              number={place + 1}
              row={row}
              canWrite={canWrite}
              problem={editing === place ? {} : rowProblem(row)}
              onChange={(change) => changeRow(place, change)}
              onFocus={() => setEditing(place)}
              onBlur={() => afterPointer(leave(place))}
              onRemove={shown.rows.length > 1 ? () => type({ ...shown, rows: shown.rows.filter((_, at) => at !== place) }) : undefined}
            />
          ))}
          {canWrite && (
            <Row gap={4} justify="between">
              <Text tone="muted" size="small">
                Numbers, true and false are compared as such. Put them in quotes to compare text.
              </Text>
              {shown.rows.length < audienceMaxTests && (
                <Button
                  size="small"
                  onClick={() => {
                    setEditing(shown.rows.length);
                    type({ ...shown, rows: [...shown.rows, emptyRow] });
                  }}
                >
                  Add condition
                </Button>
              )}
            </Row>
          )}
        </>
      )}
    </Stack>
  );
}

interface ConditionProps {
  number: number;
  row: AudienceRow;
  canWrite: boolean;
  problem: { attribute?: string; value?: string };
  onChange(change: Partial<AudienceRow>): void;
  onFocus(): void;
  onBlur(): void;
  onRemove: (() => void) | undefined;
}

function Condition({ number, row, canWrite, problem, onChange, onFocus, onBlur, onRemove }: ConditionProps) {
  const id = useId();
  const field = (name: "attribute" | "value") => ({
    ...{ id: `${id}-${name}`, type: "text", autoComplete: "off", value: row[name], readOnly: !canWrite, onFocus, onBlur },
    ...{ "aria-invalid": problem[name] !== undefined, "aria-describedby": problem[name] && `${id}-${name}-error` },
  });
  return (
    <div role="group" aria-label={`Condition ${number}`} className={css.condition}>
      <FieldFrame id={`${id}-attribute`} label="Attribute" error={problem.attribute}>
        <Input {...field("attribute")} placeholder="plan" onChange={({ target }) => onChange({ attribute: target.value })} />
      </FieldFrame>
      <FieldFrame id={`${id}-operator`} label="Condition">
        <Select
          id={`${id}-operator`}
          value={row.operator}
          options={operators}
          disabled={!canWrite}
          onChange={(operator) => onChange({ operator })}
        />
      </FieldFrame>
      {hasValue(row) && (
        <FieldFrame id={`${id}-value`} label={row.operator === "in" ? "Values, separated by commas" : "Value"} error={problem.value}>
          <Input
            {...field("value")}
            placeholder={row.operator === "in" ? "pro, team" : "pro"}
            onChange={({ target }) => onChange({ value: target.value })}
          />
        </FieldFrame>
      )}
      {canWrite && onRemove && <IconButton icon="times" label={`Remove condition ${number}`} onClick={onRemove} />}
    </div>
  );
}
