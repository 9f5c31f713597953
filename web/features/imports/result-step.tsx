import { Suspense, useState } from "react";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { Icon } from "../../ui/icon.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { paths } from "../../lib/paths.ts";
import { postCount } from "../posts/tags/tags.ts";
import type { State } from "./machine.ts";
import type { Importer } from "./use-importer.ts";
import css from "./result-step.module.css";

const UndoDialog = lazyPart(
  () => import("./undo-dialog.tsx"),
  (part) => part.UndoDialog,
);

interface ResultStepProps {
  state: Extract<State, { at: "done" }>;
  importer: Importer;
  workspaceId: string;
  onUndone: () => void;
}

const inWords = new Intl.ListFormat("en");

export function ResultStep({ state, importer, workspaceId, onUndone }: ResultStepProps) {
  const { result, entries, lost, leftOut } = state;
  const [undoing, setUndoing] = useState(false);
  const failed = entries.filter(({ outcome }) => outcome === "failed");
  const counts: [number, string][] = [
    [result.made, result.made === 1 ? "post imported" : "posts imported"],
    [result.replaced, result.replaced === 1 ? "post replaced" : "posts replaced"],
    [failed.length, failed.length === 1 ? "post failed" : "posts failed"],
    [lost.length, lost.length === 1 ? "image failed" : "images failed"],
  ];
  const missing = [...(failed.length === 0 ? [] : [postCount(failed.length)]), ...leftOut];
  const isComplete = missing.length === 0;
  return (
    <section className={css.result} aria-labelledby="import-result">
      <header className={css.head}>
        <Icon name={isComplete ? "check-circle" : "exclamation-circle"} large className={isComplete ? css.whole : css.part} />
        <h2 id="import-result">
          {isComplete ? `Imported ${result.name}` : `Imported ${result.name}, except for ${inWords.format(missing)}`}
        </h2>
      </header>
      <ul role="list" className={css.counts} aria-live="polite">
        {counts.map(([count, words], place) =>
          count > 0 || (place === 0 && result.replaced === 0) ? (
            <li key={words}>
              <strong>{count.toLocaleString()}</strong> {words}
            </li>
          ) : null,
        )}
      </ul>
      <div className={css.actions}>
        <ButtonLink to={paths.changelog(workspaceId)} variant="primary">
          Open posts
        </ButtonLink>
        <Button onClick={() => importer.dispatch({ type: "back" })}>Import something else</Button>
        <Button variant="quietDanger" icon="undo" onClick={() => setUndoing(true)}>
          Undo import
        </Button>
      </div>
      <Problems
        title="Failed posts"
        heading="Post"
        copies="the failed posts"
        lines={failed.map(({ external_id, title, problem }) => ({
          key: external_id,
          name: title,
          problem: problem ?? "No reason given.",
        }))}
      />
      <Problems
        title="Failed images"
        heading="Image"
        note="We replaced each missing image with a link or its alt text."
        copies="the failed images"
        lines={lost.map(({ url, problem }) => ({ key: url, name: url, problem }))}
      />
      <Suspense>
        {undoing && (
          <UndoDialog
            workspaceId={workspaceId}
            imported={result}
            onUndone={() => {
              importer.dispatch({ type: "back" });
              onUndone();
            }}
            onClose={() => setUndoing(false)}
          />
        )}
      </Suspense>
    </section>
  );
}

const continueHint = "Imported posts are kept. Continuing creates no duplicates.";

interface InterruptedStepProps {
  state: Extract<State, { at: "interrupted" }>;
  importer: Importer;
}

export function InterruptedStep({ state: { run, done, problem }, importer }: InterruptedStepProps) {
  const importedCount = `${done.toLocaleString()} of ${postCount(run.total)} imported`;
  return (
    <section className={css.result} aria-labelledby="import-stopped">
      <h2 id="import-stopped">{run.name} isn't fully imported</h2>
      {problem === null ? (
        <p role="status">
          {importedCount}. {continueHint}
        </p>
      ) : (
        <FormError title={importedCount} message={`${problem} ${continueHint}`} />
      )}
      <div className={css.actions}>
        <Button variant="primary" onClick={importer.goOn}>
          Continue
        </Button>
        <Button onClick={() => importer.dispatch({ type: "back" })}>Later</Button>
      </div>
    </section>
  );
}

interface ProblemsProps {
  title: string;
  heading: string;
  note?: string;
  /** Completes the copy button's name. */
  copies: string;
  lines: readonly { key: string; name: string; problem: string }[];
}

/** Rows shown; Copy includes all. */
const shownLines = 100;

function Problems({ title, heading, note, copies, lines }: ProblemsProps) {
  if (lines.length === 0) return null;
  return (
    <div className={css.problems}>
      <header className={css.head}>
        <h3>{title}</h3>
        <CopyButton text={lines.map(({ name, problem }) => `${name}\t${problem}`).join("\n")} label={copies} />
      </header>
      {note && <p className={css.muted}>{note}</p>}
      <div className={css.box} tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{heading}</th>
              <th scope="col">Reason</th>
            </tr>
          </thead>
          <tbody>
            {lines.slice(0, shownLines).map(({ key, name, problem }) => (
              <tr key={key}>
                <td>{name}</td>
                <td>{problem}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {lines.length > shownLines && <p className={css.muted}>and {(lines.length - shownLines).toLocaleString()} more</p>}
      </div>
    </div>
  );
}
