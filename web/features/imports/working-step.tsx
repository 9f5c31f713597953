import { Button } from "../../ui/button.tsx";
import { Note, Stack } from "../../ui/layout.tsx";
import { UnsavedGuard } from "../../ui/unsaved-guard.tsx";
import { type Waiting, waitingMessage } from "../../lib/retry.ts";
import type { State } from "./machine.ts";

const phases = { asking: "Fetching posts", reading: "Reading", comparing: "Comparing with your posts" } as const;

export function ReadingStep({ state, onCancel }: { state: Extract<State, { at: "reading" }>; onCancel: () => void }) {
  const { name, phase, done, of, waiting } = state;
  return (
    <Working
      title={`${phases[phase]} ${phase === "comparing" ? "" : `“${name}”`}`.trim()}
      counts={
        of === null
          ? done > 0
            ? `${done.toLocaleString()} ${phase === "asking" ? "pages" : "posts"} so far`
            : "Starting…"
          : countsOf(done, of, "posts")
      }
      done={done}
      of={of}
      waiting={waiting}
    >
      <Note>Nothing is imported until you confirm.</Note>
      <div>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </Working>
  );
}

/** Imports images, then posts. */
export function WritingStep({ state, onStop }: { state: Extract<State, { at: "preparing" | "keeping" | "writing" }>; onStop: () => void }) {
  const facts =
    state.at === "preparing"
      ? { title: "Preparing the import", counts: "Creating tags", done: 0, of: null }
      : state.at === "keeping"
        ? { title: "Importing images", counts: countsOf(state.done, state.of, "images"), done: state.done, of: state.of }
        : {
            title: "Importing posts",
            counts: `${countsOf(state.progress.done, state.progress.of, "posts")}${state.progress.failed > 0 ? `, ${state.progress.failed.toLocaleString()} failed` : ""}`,
            done: state.progress.done,
            of: state.progress.of,
          };
  return (
    <Working {...facts} waiting={state.waiting}>
      <Note>You can stop and resume later. Subscribers aren't notified.</Note>
      <div>
        <Button onClick={onStop}>Stop</Button>
      </div>
      <UnsavedGuard>The import will stop. Imported posts are kept, and you can continue here later.</UnsavedGuard>
    </Working>
  );
}

interface WorkingProps {
  title: string;
  counts: string;
  done: number;
  of: number | null;
  waiting: Waiting | null;
  children: React.ReactNode;
}

function Working({ title, counts, done, of, waiting, children }: WorkingProps) {
  return (
    <Stack as="section" gap={3} style={{ maxWidth: "var(--form)" }} aria-labelledby="import-work">
      <h2 id="import-work">{title}</h2>
      <progress value={of === null ? undefined : done} max={of === null ? undefined : Math.max(of, 1)} aria-label={title} />
      <p role="status">{waiting ? waitingMessage(waiting) : counts}</p>
      {children}
    </Stack>
  );
}

const countsOf = (done: number, of: number, what: string): string => `${done.toLocaleString()} of ${of.toLocaleString()} ${what}`;
