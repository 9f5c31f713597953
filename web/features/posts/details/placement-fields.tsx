import { type ReactNode, useId, useState } from "react";
import { placementInput } from "#contract/details.ts";
import { needsSelector, type Placement } from "#contract/rules/placement.ts";
import { publishTime, scheduleOf } from "#contract/rules/schedule.ts";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { FieldFrame } from "../../../ui/field-frame.tsx";
import { Input } from "../../../ui/input.tsx";
import { Grid } from "../../../ui/layout.tsx";
import { Select } from "../../../ui/select.tsx";
import { endOfDay, lastDayOf, surfaceLabels } from "./detail-words.ts";

interface PlacementFieldsProps {
  placement: Placement | null;
  canWrite: boolean;
  onChange(placement: Placement | null): void;
}

const none = { selector: null, push: false, from: null, until: null, again: "never" } as const;
const againLabels = { never: "Never", session: "In each session", "1": "After 1 day", "7": "After 7 days", "30": "After 30 days" } as const;
type Again = keyof typeof againLabels;

/** Where the widget shows the post outside its panel. Only a valid placement reaches the post. */
export function PlacementFields({ placement, canWrite, onChange }: PlacementFieldsProps) {
  /** A placement that isn't valid yet. */
  const [draft, setDraft] = useState<Placement | null>(null);
  const shown = draft ?? placement;
  const { error } = placementInput.nullable().safeParse(shown);
  const errorAt = (name: keyof Placement) => error?.issues.find(({ path }) => path[0] === name)?.message;
  const change = (changes: Partial<Placement>) => {
    const next = { ...none, surface: "toast" as const, ...shown, ...changes };
    const kept = {
      ...next,
      selector: needsSelector(next.surface) ? next.selector : null,
      push: next.push && next.surface === "banner-top",
    };
    const read = placementInput.safeParse(kept);
    setDraft(read.success ? null : kept);
    if (read.success) onChange(read.data);
  };
  const remove = () => {
    setDraft(null);
    onChange(null);
  };
  const days = typeof shown?.again === "number" && !(shown.again in againLabels) ? { [shown.again]: `After ${shown.again} days` } : {};
  return (
    <Grid gap={4} min="14rem" style={{ alignItems: "start" }}>
      <Field label="Placement" hint="Where the widget shows the post outside its panel. See it with Preview.">
        {(id) => (
          <Select
            id={id}
            value={shown?.surface ?? ""}
            disabled={!canWrite}
            options={[["", "None"], ...(Object.entries(surfaceLabels) as [Placement["surface"], string][])]}
            onChange={(surface) => (surface === "" ? remove() : change({ surface }))}
          />
        )}
      </Field>
      {shown && needsSelector(shown.surface) && (
        <Field label="CSS selector" error={errorAt("selector")}>
          {(id) => (
            <Input
              id={id}
              type="text"
              autoComplete="off"
              placeholder="#export"
              value={shown.selector ?? ""}
              readOnly={!canWrite}
              onChange={({ target }) => change({ selector: target.value || null })}
            />
          )}
        </Field>
      )}
      {shown && (
        <>
          <Field label="Shown from">
            {(id) => (
              <Input
                id={id}
                type="date"
                value={shown.from === null ? "" : scheduleOf(new Date(shown.from)).day}
                readOnly={!canWrite}
                onChange={({ target }) => change({ from: publishTime(target.value, "00:00") })}
              />
            )}
          </Field>
          <Field label="Shown through" error={errorAt("until")}>
            {(id) => (
              <Input
                id={id}
                type="date"
                value={lastDayOf(shown.until)}
                readOnly={!canWrite}
                onChange={({ target }) => change({ until: endOfDay(target.value) })}
              />
            )}
          </Field>
          <Field label="Shown again once closed">
            {(id) => (
              <Select
                id={id}
                value={`${shown.again}` as Again}
                disabled={!canWrite}
                options={Object.entries({ ...againLabels, ...days }) as [Again, string][]}
                onChange={(again) => change({ again: again === "never" || again === "session" ? again : Number(again) })}
              />
            )}
          </Field>
        </>
      )}
      {shown?.surface === "banner-top" && (
        <Checkbox
          label="Move the page down"
          checked={shown.push}
          disabled={!canWrite}
          onChange={({ target }) => change({ push: target.checked })}
        />
      )}
    </Grid>
  );
}

function Field({
  label,
  hint,
  error,
  children,
}: {
  label: string;
  hint?: string;
  error?: string | undefined;
  children(id: string): ReactNode;
}) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      {children(id)}
    </FieldFrame>
  );
}
