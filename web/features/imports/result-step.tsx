import { Suspense, useState } from "react";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Note, Row, Stack, Text } from "../../ui/layout.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { CountList, ProblemTable } from "../../ui/problem-table.tsx";
import { paths } from "../../lib/paths.ts";
import { postCount } from "../posts/tags/tags.ts";
import type { State } from "./machine.ts";
import type { Importer } from "./use-importer.ts";

const UndoDialog = lazyPart(() => import("./undo-dialog.tsx"), "UndoDialog");

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
    <Stack as="section" aria-labelledby="import-result">
      <Row as="header">
        <Text as="span" tone={isComplete ? "ok" : "warn"}>
          <Icon name={isComplete ? "check-circle" : "exclamation-circle"} large />
        </Text>
        <h2 id="import-result">
          {isComplete ? `Imported ${result.name}` : `Imported ${result.name}, except for ${inWords.format(missing)}`}
        </h2>
      </Row>
      <CountList counts={counts} keepFirst={result.replaced === 0} />
      <Row>
        <ButtonLink to={paths.changelog(workspaceId)} variant="primary">
          Open posts
        </ButtonLink>
        <Button onClick={() => importer.dispatch({ type: "back" })}>Import something else</Button>
        <Button variant="quietDanger" icon="undo" onClick={() => setUndoing(true)}>
          Undo import
        </Button>
      </Row>
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
    </Stack>
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
    <Stack as="section" aria-labelledby="import-stopped">
      <h2 id="import-stopped">{run.name} isn't fully imported</h2>
      {problem === null ? (
        <p role="status">
          {importedCount}. {continueHint}
        </p>
      ) : (
        <FormError title={importedCount} message={`${problem} ${continueHint}`} />
      )}
      <Row>
        <Button variant="primary" onClick={importer.goOn}>
          Continue
        </Button>
        <Button onClick={() => importer.dispatch({ type: "back" })}>Later</Button>
      </Row>
    </Stack>
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

/** Copy includes all lines. */
function Problems({ title, heading, note, copies, lines }: ProblemsProps) {
  if (lines.length === 0) return null;
  return (
    <Stack gap={2}>
      <Row as="header" justify="between">
        <h3>{title}</h3>
        <CopyButton text={lines.map(({ name, problem }) => `${name}\t${problem}`).join("\n")} label={copies} />
      </Row>
      {note && <Note>{note}</Note>}
      <ProblemTable label={title} heading={heading} lines={lines} />
    </Stack>
  );
}
