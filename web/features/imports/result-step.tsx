import { Suspense, useState } from "react";
import { Button, ButtonLink } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { FormError } from "../../components/form-error.tsx";
import { Icon } from "../../components/icon.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
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

/** What became of each post and picture. */
export function ResultStep({ state, importer, workspaceId, onUndone }: ResultStepProps) {
  const { result, entries, lost, leftOut } = state;
  const [asking, setAsking] = useState(false);
  const failed = entries.filter(({ outcome }) => outcome === "failed");
  const counts: [number, string][] = [
    [result.made, result.made === 1 ? "post is new" : "posts are new"],
    [result.replaced, result.replaced === 1 ? "post was replaced" : "posts were replaced"],
    [failed.length, failed.length === 1 ? "post failed" : "posts failed"],
    [lost.length, lost.length === 1 ? "picture could not be kept" : "pictures could not be kept"],
  ];
  const missing = [...(failed.length === 0 ? [] : [postCount(failed.length)]), ...leftOut];
  const isWhole = missing.length === 0;
  return (
    <section className={css.result} aria-labelledby="import-result">
      <header className={css.head}>
        <Icon name={isWhole ? "check-circle" : "exclamation-circle"} large className={isWhole ? css.whole : css.part} />
        <h2 id="import-result">{isWhole ? `All of ${result.name} is in` : `${result.name} is in, but for ${inWords.format(missing)}`}</h2>
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
        <Button variant="quietDanger" icon="undo" onClick={() => setAsking(true)}>
          Undo this import
        </Button>
      </div>
      <Problems
        title="Posts that failed"
        what="Post"
        copies="the posts that failed"
        lines={failed.map(({ external_id, title, problem }) => ({
          key: external_id,
          name: title,
          problem: problem ?? "No reason was given.",
        }))}
      />
      <Problems
        title="Pictures that could not be kept"
        what="Picture"
        note="Where such a picture stood there is a link to it, or the words that described it. None is shown from another site behind your back."
        copies="the pictures that could not be kept"
        lines={lost.map(({ url, problem }) => ({ key: url, name: url, problem }))}
      />
      <Suspense>
        {asking && (
          <UndoDialog
            workspaceId={workspaceId}
            imported={result}
            onUndone={() => {
              importer.dispatch({ type: "back" });
              onUndone();
            }}
            onClose={() => setAsking(false)}
          />
        )}
      </Suspense>
    </section>
  );
}

const goesOn = "What is in stays in; going on writes none twice.";

interface InterruptedStepProps {
  state: Extract<State, { at: "interrupted" }>;
  importer: Importer;
}

/** Stopped in the middle: what is in is in, and the rest can follow. */
export function InterruptedStep({ state: { run, done, problem }, importer }: InterruptedStepProps) {
  const cameIn = `${done.toLocaleString()} of ${postCount(run.total)} came in`;
  return (
    <section className={css.result} aria-labelledby="import-stopped">
      <h2 id="import-stopped">{run.name} is not all in yet</h2>
      {problem === null ? (
        <p role="status">
          {cameIn}. {goesOn}
        </p>
      ) : (
        <FormError title={cameIn} message={`${problem} ${goesOn}`} />
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
  what: string;
  note?: string;
  /** Completes the copy button's name. */
  copies: string;
  lines: readonly { key: string; name: string; problem: string }[];
}

/** More are not read by anybody on a screen; copied are all. */
const shownLines = 100;

function Problems({ title, what, note, copies, lines }: ProblemsProps) {
  if (lines.length === 0) return null;
  return (
    <div className={css.problems}>
      <header className={css.head}>
        <h3>{title}</h3>
        <CopyButton text={lines.map(({ name, problem }) => `${name}\t${problem}`).join("\n")} what={copies} />
      </header>
      {note && <p className={css.muted}>{note}</p>}
      <div className={css.box} tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{what}</th>
              <th scope="col">Why</th>
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
