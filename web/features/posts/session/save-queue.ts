/** What became of a task: its value, or `dropped` because the queue was held. */
export type Queued<Result> = { done: Result } | "dropped";

export interface SaveQueue {
  /** Runs a task after those before it. While the queue is held nothing runs: neither new tasks nor those that still wait. */
  run<Result>(task: () => Promise<Result>): Promise<Queued<Result>>;
  hold(): void;
  release(): void;
}

/** One write at a time, and none while a conflict waits for an answer. Source: specification, section 4; product decision 7. */
export function createSaveQueue(): SaveQueue {
  let tail: Promise<unknown> = Promise.resolve();
  let held = false;
  return {
    run: <Result>(task: () => Promise<Result>) => {
      if (held) return Promise.resolve<Queued<Result>>("dropped");
      const turn = tail.then(async (): Promise<Queued<Result>> => (held ? "dropped" : { done: await task() }));
      tail = turn.catch(() => {}); // a failed task does not stop the next one
      return turn;
    },
    hold: () => (held = true),
    release: () => (held = false),
  } as SaveQueue;
}
