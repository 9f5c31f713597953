import { useEffect, useRef, useState } from "react";
import { publicAddress, useConfig } from "../../lib/config.ts";
import { useProfile } from "../account/profile.ts";
import { useCurrentWorkspace } from "../workspaces/current-workspace.tsx";
import { ChooseStep, type TypedQuestion } from "./choose-step.tsx";
import { ImportHistory, useImports } from "./import-history.tsx";
import { UnfinishedNotice, useStoredImports } from "./kept-imports.tsx";
import { isIdle, type State } from "./machine.ts";
import { PreviewStep } from "./preview-step.tsx";
import { InterruptedStep, ResultStep } from "./result-step.tsx";
import { useImporter, type Importer } from "./use-importer.ts";
import { ReadingStep, WritingStep } from "./working-step.tsx";
import css from "./imports.module.css";

/** Import page: current step and history. */
export function ImportWork({ workspaceId }: { workspaceId: string }) {
  const personId = useProfile().data?.user_id;
  const imports = useImports(workspaceId);
  const { kept: storedImports, look: refresh, forget: discard } = useStoredImports(workspaceId, personId);
  const changed = () => {
    void imports.mutate();
    void refresh();
  };
  const { workspace } = useCurrentWorkspace();
  const host = useConfig()?.host;
  const page = host === undefined ? undefined : publicAddress(workspace, host);
  const importer = useImporter({ workspaceId, personId, page, onChanged: changed });
  const { state, isWorking } = importer;
  const [typed, setTyped] = useState<TypedQuestion>({ source: "github", address: "", key: "" });
  const step = useAnnouncedStep(state.at);

  return (
    <>
      {isIdle(state) &&
        storedImports.map((one) => (
          <UnfinishedNotice key={one.id} kept={one} onContinue={() => void importer.goOnWith(one)} onForget={() => void discard(one.id)} />
        ))}
      <div ref={step} tabIndex={-1} className={css.step}>
        <Step state={state} importer={importer} workspaceId={workspaceId} typed={typed} onTyped={setTyped} onUndone={changed} />
      </div>
      {(isIdle(state) || state.at === "done" || state.at === "interrupted") && (
        <ImportHistory workspaceId={workspaceId} imports={imports} busy={isWorking} />
      )}
    </>
  );
}

interface StepProps {
  state: State;
  importer: Importer;
  workspaceId: string;
  typed: TypedQuestion;
  onTyped: (typed: TypedQuestion) => void;
  onUndone: () => void;
}

function Step({ state, importer, workspaceId, typed, onTyped, onUndone }: StepProps) {
  switch (state.at) {
    case "choosing":
    case "failed":
      return <ChooseStep importer={importer} problem={state.at === "failed" ? state.problem : undefined} typed={typed} onTyped={onTyped} />;
    case "reading":
      return <ReadingStep state={state} onCancel={importer.cancel} />;
    case "previewing":
      return <PreviewStep state={state} importer={importer} workspaceId={workspaceId} />;
    case "preparing":
    case "keeping":
    case "writing":
      return <WritingStep state={state} onStop={importer.stop} />;
    case "interrupted":
      return <InterruptedStep state={state} importer={importer} />;
    case "done":
      return <ResultStep state={state} importer={importer} workspaceId={workspaceId} onUndone={onUndone} />;
  }
}

/** Focuses a new step, since the focused element is gone. */
function useAnnouncedStep(at: State["at"]) {
  const step = useRef<HTMLDivElement>(null);
  const before = useRef(at);
  useEffect(() => {
    if (before.current === at) return;
    before.current = at;
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    step.current?.focus({ preventScroll: true });
    step.current?.scrollIntoView({ block: "nearest" });
  }, [at]);
  return step;
}
