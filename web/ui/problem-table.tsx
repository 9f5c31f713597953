import { DataTable } from "./data-table.tsx";
import { Note, Panel, Stack } from "./layout.tsx";

interface ProblemTableProps {
  label: string;
  /** Header of the names. */
  heading: string;
  lines: readonly { key: string; name: string; problem: string }[];
}

const shownLines = 100;

/** Failures with their reasons, in a scrolling box. */
export function ProblemTable({ label, heading, lines }: ProblemTableProps) {
  return (
    <Panel sunk padding={3} gap={2} tabIndex={0} role="region" aria-label={label} style={{ maxHeight: "16rem", overflow: "auto" }}>
      <DataTable
        columns={[
          { header: heading, cell: ({ name }) => name, card: "wide" },
          { header: "Reason", cell: ({ problem }) => problem, card: "wide" },
        ]}
        rows={lines.slice(0, shownLines)}
        rowKey={({ key }) => key}
      />
      {lines.length > shownLines && <Note>and {(lines.length - shownLines).toLocaleString()} more</Note>}
    </Panel>
  );
}

/** Counts with their words; those of 0 are left out, except for the first if `keepFirst`. */
export function CountList({ counts, keepFirst = true }: { counts: readonly (readonly [number, string])[]; keepFirst?: boolean }) {
  return (
    <Stack as="ul" role="list" gap={1} aria-live="polite">
      {counts.map(([count, words], place) =>
        count > 0 || (place === 0 && keepFirst) ? (
          <li key={words}>
            <strong>{count.toLocaleString()}</strong> {words}
          </li>
        ) : null,
      )}
    </Stack>
  );
}
