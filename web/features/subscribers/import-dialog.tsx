import { useId, useState } from "react";
import type { InvalidLine } from "#contract/subscriber-csv.ts";
import { importDeclaration } from "#contract/subscribers.ts";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/checkbox.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { FieldFrame } from "../../components/field-frame.tsx";
import { FormError } from "../../components/form-error.tsx";
import { classNames } from "../../lib/class-names.ts";
import { type ImportStep, type Tally, useImport } from "./use-import.ts";
import css from "./import-dialog.module.css";

interface ImportDialogProps {
  workspaceId: string;
  /** Keys of the workspace's tags. */
  topics: readonly string[];
  /** What was pasted, kept by the page: closing the dialog by accident loses nothing. */
  text: string;
  onText: (text: string) => void;
  onImported: () => void;
  onClose: () => void;
}

/** A list of readers from a CSV file: chosen or pasted, looked at, and only then imported. */
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
      // While it works, a press beside it must not end it: the button does.
      onClose={step.at === "working" ? undefined : onClose}
      footer={
        step.at === "choose" ? (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button variant="primary" disabled={text.trim() === ""} onClick={() => void look(text)}>
              Check what was pasted
            </Button>
          </>
        ) : step.at === "working" ? (
          <Button onClick={stop}>Stop</Button>
        ) : step.at === "preview" ? (
          <>
            <Button onClick={back}>Back</Button>
            <Button
              variant="primary"
              disabled={step.tally.added === 0}
              onClick={() => void start(step.list, step.tally, declared)}
            >{`Import ${amount(step.tally.added)}`}</Button>
          </>
        ) : (
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        )
      }
    >
      <div className={css.dialog}>
        {step.at === "choose" && <Choose text={text} onText={onText} onFile={(file) => void choose(file)} problem={step.problem} />}
        {step.at === "working" && <Working {...step} />}
        {step.at === "preview" && <Preview {...step} declared={declared} onDeclared={setDeclared} />}
        {step.at === "done" && <Done {...step} />}
      </div>
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
      {problem && <FormError title="This list cannot be imported" message={problem} />}
      <label className={css.drop}>
        <span className={css.chosen}>Choose a CSV file, or drop one here</span>
        <span className={css.muted}>Up to 50,000 lines, from a spreadsheet or another mail tool</span>
        <input
          type="file"
          accept=".csv,.txt,.tsv,text/csv,text/plain"
          onChange={({ target }) => {
            onFile(target.files?.[0]);
            target.value = ""; // the same file once more is a choice as well
          }}
        />
      </label>
      <FieldFrame
        id={id}
        label="Or paste it"
        hint={
          <>
            The first line names the columns: <code>email</code>, and if you like <code>frequency</code> (instant, daily, weekly),{" "}
            <code>tags</code>, <code>confirmed_at</code>. Other columns are left out. A plain list of addresses is fine, too.
          </>
        }
      >
        <textarea
          id={id}
          className={classNames("p-inputtext p-component", css.paste)}
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

function Working({ imports, done, total }: Extract<ImportStep, { at: "working" }>) {
  const words = imports ? "Importing" : "Looking at the list";
  return (
    <div className={css.working} role="status">
      <p>
        {words}: {done.toLocaleString()} of {total.toLocaleString()}
      </p>
      <progress className={css.progress} value={done} max={Math.max(total, 1)} aria-label={words} />
      {imports && <p className={css.muted}>Whoever is in stays in if you stop, and the same list again goes on where it stopped.</p>}
    </div>
  );
}

interface PreviewProps extends Extract<ImportStep, { at: "preview" }> {
  declared: boolean;
  onDeclared: (declared: boolean) => void;
}

function Preview({ list, tally, problem, declared, onDeclared }: PreviewProps) {
  return (
    <>
      {problem && <FormError title="Nothing was imported" message={problem} />}
      <Counts tally={tally} repeated={list.repeated} invalid={list.invalid.length} added="new" />
      <InvalidLines invalid={list.invalid} />
      {tally.added > 0 && (
        <div className={css.declare}>
          <Checkbox
            label={importDeclaration}
            note="Recorded with your name beside each address."
            checked={declared}
            onChange={({ target }) => onDeclared(target.checked)}
          />
          <p className={css.muted} role="status">
            {declared
              ? `${amount(tally.added)} will be subscribed at once, without a mail.`
              : `${amount(tally.added)} will ${tally.added === 1 ? "" : "each "}get one mail, and be subscribed once they say yes in it.`}
          </p>
        </div>
      )}
    </>
  );
}

function Done({ tally, invalid, stopped }: Extract<ImportStep, { at: "done" }>) {
  return (
    <>
      {stopped && <FormError title="Not all of the list is in" message={`${stopped} The same list again goes on where it stopped.`} />}
      <Counts tally={tally} invalid={invalid.length} added="added" />
      <InvalidLines invalid={invalid} />
    </>
  );
}

const amount = (count: number): string => (count === 1 ? "1 reader" : `${count.toLocaleString()} readers`);

interface CountsProps {
  tally: Tally;
  repeated?: number;
  invalid: number;
  /** What the first number is called. */
  added: string;
}

function Counts({ tally, repeated = 0, invalid, added }: CountsProps) {
  const lines: [number, string][] = [
    [tally.added, added],
    [tally.known, "in the list already: they stay as they are"],
    [repeated, "in this file a second time: the first line counts"],
    [tally.refused, "left out: they asked to be forgotten, emails to them bounced, or we emailed them often today"],
    [invalid, invalid === 1 ? "line that cannot be used" : "lines that cannot be used"],
  ];
  return (
    <ul role="list" className={css.counts}>
      {lines.map(([count, words], place) =>
        count > 0 || place === 0 ? (
          <li key={words}>
            <strong>{count.toLocaleString()}</strong> {words}
          </li>
        ) : null,
      )}
    </ul>
  );
}

/** More are not read by anybody on a screen. */
const shownLines = 100;

function InvalidLines({ invalid }: { invalid: readonly InvalidLine[] }) {
  if (invalid.length === 0) return null;
  return (
    <div className={css.invalid} tabIndex={0} role="region" aria-label="Lines that cannot be used">
      <table>
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {invalid.slice(0, shownLines).map(({ line, reason }) => (
            <tr key={line}>
              <td>{line.toLocaleString()}</td>
              <td>{reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {invalid.length > shownLines && <p className={css.muted}>and {(invalid.length - shownLines).toLocaleString()} more</p>}
    </div>
  );
}
