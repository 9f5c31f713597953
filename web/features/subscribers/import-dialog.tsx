import { useId, useState } from "react";
import type { InvalidLine } from "#contract/subscriber-csv.ts";
import { importDeclaration } from "#contract/subscribers.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FieldFrame } from "../../ui/field-frame.tsx";
import { FileDrop } from "../../ui/file-drop.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { Note, Stack } from "../../ui/layout.tsx";
import { CountList, ProblemTable } from "../../ui/problem-table.tsx";
import { waitingMessage } from "../../lib/retry.ts";
import { type ImportStep, type Tally, useImport } from "./use-import.ts";

interface ImportDialogProps {
  workspaceId: string;
  topics: readonly string[];
  /** Pasted text, kept by the page when the dialog closes by accident. */
  text: string;
  onText: (text: string) => void;
  onImported: () => void;
  onClose: () => void;
}

/** CSV import: choose or paste, preview, import. */
export function ImportDialog({ workspaceId, topics, text, onText, onImported, onClose }: ImportDialogProps) {
  const { step, look, read, start, stop, back } = useImport(workspaceId, topics, onImported);
  const [declared, setDeclared] = useState(false);

  async function choose(file: File | undefined) {
    const content = file && (await read(file));
    if (content !== undefined) await look(content);
  }

  return (
    <Dialog
      open
      title={step.at === "done" ? "Import finished" : "Import subscribers"}
      width="40rem"
      // Can't be closed during an import, except with Stop.
      onClose={step.at === "working" ? undefined : onClose}
      footer={
        step.at === "choose" ? (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button variant="primary" disabled={text.trim() === ""} onClick={() => void look(text)}>
              Preview list
            </Button>
          </>
        ) : step.at === "working" ? (
          <Button onClick={stop}>Stop</Button>
        ) : step.at === "preview" ? (
          <>
            <Button
              onClick={() => {
                setDeclared(false); // it was about that list
                back();
              }}
            >
              Back
            </Button>
            <Button
              variant="primary"
              disabled={step.tally.added === 0}
              onClick={() => void start(step.list, step.tally, declared)}
            >{`Import ${formatReaders(step.tally.added)}`}</Button>
          </>
        ) : (
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        )
      }
    >
      <Stack>
        {step.at === "choose" && <Choose text={text} onText={onText} onFile={(file) => void choose(file)} problem={step.problem} />}
        {step.at === "working" && <Working {...step} />}
        {step.at === "preview" && <Preview {...step} declared={declared} onDeclared={setDeclared} />}
        {step.at === "done" && <Done {...step} />}
      </Stack>
    </Dialog>
  );
}

interface ChooseProps {
  text: string;
  onText: (text: string) => void;
  onFile: (file: File | undefined) => void;
  problem: string | undefined;
}

function Choose({ text, onText, onFile, problem }: ChooseProps) {
  const id = useId();
  return (
    <>
      {problem && <FormError title="We can't import this list" message={problem} />}
      <FileDrop
        title="Choose a CSV file or drop one here"
        text="Up to 50,000 lines from a spreadsheet or another email tool"
        accept=".csv,.txt,.tsv,text/csv,text/plain"
        onChoose={([file]) => onFile(file)}
      />
      <FieldFrame
        id={id}
        label="Or paste a list"
        hint={
          <>
            The first line names the columns: <code>email</code>, and optionally <code>frequency</code> (instant, daily, weekly),{" "}
            <code>tags</code> and <code>confirmed_at</code>. Other columns are ignored. A plain list of addresses works too.
          </>
        }
      >
        <textarea
          id={id}
          className="p-inputtext p-component"
          style={{ fontFamily: "var(--mono)" }}
          rows={7}
          spellCheck={false}
          autoCapitalize="none"
          aria-describedby={`${id}-hint`}
          placeholder={"email,frequency\nada@example.com,weekly"}
          value={text}
          onChange={({ target }) => onText(target.value)}
        />
      </FieldFrame>
    </>
  );
}

function Working({ imports, done, total, waiting }: Extract<ImportStep, { at: "working" }>) {
  const label = imports ? "Importing" : "Checking the list";
  return (
    <Stack gap={3} role="status">
      <p>{waiting ? waitingMessage(waiting) : `${label}: ${done.toLocaleString()} of ${total.toLocaleString()}`}</p>
      <progress value={done} max={Math.max(total, 1)} aria-label={label} />
      {imports && <Note>If you stop, contacts already imported are kept. Import the same file to continue.</Note>}
    </Stack>
  );
}

interface PreviewProps extends Extract<ImportStep, { at: "preview" }> {
  declared: boolean;
  onDeclared: (declared: boolean) => void;
}

function Preview({ list, tally, problem, declared, onDeclared }: PreviewProps) {
  return (
    <>
      {problem && <FormError title="Import failed" message={problem} />}
      <Counts tally={tally} repeated={list.repeated} invalid={list.invalid.length} added="new" />
      <InvalidLines invalid={list.invalid} />
      {tally.added > 0 && (
        <Stack gap={2}>
          <Checkbox
            label={importDeclaration}
            note="Saved with your name for each address."
            checked={declared}
            onChange={({ target }) => onDeclared(target.checked)}
          />
          <Note role="status">
            {declared
              ? `${formatReaders(tally.added)} will be subscribed immediately, without a confirmation email.`
              : `${formatReaders(tally.added)} will get an email to confirm.`}
          </Note>
        </Stack>
      )}
    </>
  );
}

function Done({ tally, invalid, stopped }: Extract<ImportStep, { at: "done" }>) {
  return (
    <>
      {stopped && <FormError title="Import incomplete" message={`${stopped} Import the same list to continue.`} />}
      <Counts tally={tally} invalid={invalid.length} added="added" />
      <InvalidLines invalid={invalid} />
    </>
  );
}

const formatReaders = (count: number): string => (count === 1 ? "1 reader" : `${count.toLocaleString()} readers`);

interface CountsProps {
  tally: Tally;
  repeated?: number;
  invalid: number;
  /** Label of the first number. */
  added: string;
}

const Counts = ({ tally, repeated = 0, invalid, added }: CountsProps) => (
  <CountList
    counts={[
      [tally.added, added],
      [tally.known, "already on the list, unchanged"],
      [repeated, "duplicates in this file, skipped"],
      [tally.refused, "skipped: erased, bounced, or emailed too often today"],
      [invalid, invalid === 1 ? "invalid line" : "invalid lines"],
    ]}
  />
);

function InvalidLines({ invalid }: { invalid: readonly InvalidLine[] }) {
  if (invalid.length === 0) return null;
  const lines = invalid.map(({ line, reason }) => ({ key: String(line), name: line.toLocaleString(), problem: reason }));
  return <ProblemTable label="Invalid lines" heading="Line" lines={lines} />;
}
