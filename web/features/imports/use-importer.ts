import { useEffect, useReducer, useRef } from "react";
import { importEndpoints } from "#contract/imports.ts";
import { tagEndpoints } from "#contract/tag-endpoints.ts";
import type { PreparedPost } from "#importers/entry.ts";
import { nameOfAddress } from "#importers/preview/import-name.ts";
import { defaultMapping, newTags, sourceTags } from "#importers/preview/tag-mapping.ts";
import type { Release } from "#importers/preview/undated.ts";
import type { ReadRequest } from "#importers/read-source.ts";
import { ApiError, call } from "../../lib/api-client.ts";
import { useLatest } from "../../lib/use-latest.ts";
import { retry, type Waiting } from "../../lib/retry.ts";
import { emitMissed } from "../posts/post-events.ts";
import { useTags } from "../posts/tags/use-tags.ts";
import { errorMessage } from "./failures.ts";
import { deleteStoredImport, storeImport, storeImageResult, type StoredImport, keyOf, readStoredImport } from "./import-store.ts";
import { type Event, isWorking, start, step } from "./machine.ts";
import type { ImageResult } from "./pictures.ts";
import { chosenPosts, leftOutOf, type Preview } from "./preview.ts";
import { askSource, compareWithWorkspace, type Question, readInWorker } from "./reading.ts";
import { runImport, type ImportJob } from "./run-import.ts";
import { sourceLabels } from "./source-labels.ts";

interface ImporterOptions {
  workspaceId: string;
  personId: string | undefined;
  /** Public URL; undefined while loading. */
  page: string | undefined;
  /** Called when an import starts, ends or stops. */
  onChanged: () => void;
}

/** Side effects of the import machine (./machine.ts). */
export function useImporter({ workspaceId, personId, page, onChanged }: ImporterOptions) {
  const [state, dispatch] = useReducer(step, start);
  const task = useTask();
  const reading = useReading({ workspaceId, dispatch, task }, page);
  const writing = useWriting({ workspaceId, dispatch, task }, personId, onChanged);
  return {
    state,
    dispatch,
    isWorking: isWorking(state),
    ...reading,
    ...writing,
    cancel(): void {
      task.stop();
      dispatch({ type: "back" });
    },
    stop: task.stop,
  };
}

export type Importer = ReturnType<typeof useImporter>;

/** Abort control: a new task or leaving aborts the current one. */
function useTask() {
  const running = useRef<AbortController>(undefined);
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
      running.current?.abort();
    };
  }, []);
  return {
    shown,
    stop: () => running.current?.abort(),
    begin(): AbortSignal {
      running.current?.abort();
      return (running.current = new AbortController()).signal;
    },
  };
}

interface Visit {
  workspaceId: string;
  dispatch: (event: Event) => void;
  task: ReturnType<typeof useTask>;
}

/** Dispatches until aborted. */
const whileRunning =
  (dispatch: Visit["dispatch"], signal: AbortSignal): Visit["dispatch"] =>
  (event) => {
    if (!signal.aborted) dispatch(event);
  };

const onWaiting =
  (tell: Visit["dispatch"]) =>
  (waiting: Waiting | null): void =>
    tell({ type: "waits", waiting });

/** Reading: from files or another server to the preview. */
function useReading({ workspaceId, dispatch, task }: Visit, page: string | undefined) {
  /** Last chosen files, for reading again. */
  const files = useRef<ReadRequest["files"]>([]);

  /** Parses posts and compares them with the workspace. */
  async function read(name: string, request: Omit<ReadRequest, "now" | "workspace" | "page">, signal: AbortSignal): Promise<void> {
    const tell = whileRunning(dispatch, signal);
    const on = (phase: "reading" | "comparing") => (done: number, of: number | null) => tell({ type: "read on", phase, done, of });
    try {
      on("reading")(0, null);
      const there = { workspace: workspaceId, ...(page !== undefined && { page }), now: new Date().toISOString() };
      const posts = await readInWorker({ ...request, ...there }, signal, on("reading"));
      const [found, here] = await Promise.all([
        compareWithWorkspace(workspaceId, name, posts, signal, { onProgress: on("comparing"), onWait: onWaiting(tell) }),
        call(tagEndpoints.list, { params: { workspaceId }, signal }),
      ]);
      const names = sourceTags(found.posts).map(([tag]) => tag);
      dispatch({ type: "found", found, tags: defaultMapping(names, here.tags) });
    } catch (error) {
      if (!signal.aborted) dispatch({ type: "refused", problem: errorMessage(error) });
    }
  }

  function readFiles(address?: string): void {
    const signal = task.begin();
    const chosen = files.current;
    const name = chosen.length === 1 ? chosen[0]!.name : `${chosen.length.toLocaleString()} files`;
    dispatch({ type: "chosen", name, phase: "reading" });
    void read(name, { files: chosen, ...(address !== undefined && { address }) }, signal);
  }

  return {
    choose(chosen: ReadRequest["files"]): void {
      files.current = chosen;
      readFiles();
    },
    /** Reads the same files again with their site's URL. */
    readAt: (address: string) => readFiles(address),
    /** Fetches from another product. Throws ApiError before the first response. */
    async ask(question: Question): Promise<void> {
      const signal = task.begin();
      const tell = whileRunning(dispatch, signal);
      const rest = await askSource(workspaceId, question, signal);
      if (signal.aborted) return;
      const name = nameOfAddress(question.address) || sourceLabels[question.source];
      dispatch({ type: "chosen", name, phase: "asking" });
      void (async () => {
        try {
          const answers = await rest((pages) => tell({ type: "read on", phase: "asking", done: pages, of: null }), onWaiting(tell));
          await read(name, answers, signal);
        } catch (error) {
          if (!signal.aborted) dispatch({ type: "refused", problem: errorMessage(error) });
        }
      })();
    },
    /** Fetches releases for their dates. Throws ApiError. */
    async askReleases(question: Omit<Question, "source">): Promise<Release[]> {
      const signal = task.begin();
      const rest = await askSource(workspaceId, { ...question, source: "github" }, signal);
      const answers = await rest(ignore, ignore);
      const { posts } = await readInWorker({ ...answers, workspace: workspaceId, now: new Date().toISOString() }, signal, ignore);
      return posts.map(({ post }) => post);
    },
  };
}

/** Writing: from the preview to the result, or continuing. */
function useWriting({ workspaceId, dispatch, task }: Visit, personId: string | undefined, onChanged: () => void) {
  const tags = useLatest(useTags(workspaceId));
  const changed = useLatest(onChanged);
  /** The current job, for continuing. */
  const work = useRef<ImportJob>(undefined);

  async function run(from: ImportJob, signal: AbortSignal): Promise<void> {
    const tell = whileRunning(dispatch, signal);
    work.current = from;
    let done = from.written.size;
    try {
      const ended = await runImport(from, signal, (news) => {
        if (news.type === "wrote") done = news.progress.done;
        tell(news);
      });
      dispatch({ type: "finished", ...ended });
      await tryStore(() => deleteStoredImport(from.run.id));
    } catch (error) {
      if (error instanceof ApiError && error.code === "import_over") await tryStore(() => deleteStoredImport(from.run.id));
      dispatch({ type: "stopped", done, problem: signal.aborted ? null : errorMessage(error) });
    } finally {
      emitMissed(workspaceId); // refreshes all post lists, also after a partial import
      if (task.shown.current) changed.current();
    }
  }

  async function startImport(preview: Preview): Promise<void> {
    const { found, ticked } = preview;
    dispatch({ type: "start" });
    const signal = task.begin();
    const onWait = onWaiting(whileRunning(dispatch, signal));
    const key = crypto.randomUUID();
    try {
      const createdTags = await createTags(preview, (label) => retry(() => tags.current.create(label, "blue"), signal, onWait));
      const posts = chosenPosts(preview, createdTags);
      const leftOut = leftOutOf(preview);
      const begin = () =>
        call(importEndpoints.begin, {
          params: { workspaceId },
          body: { source: found.source, name: found.name, total: ticked.size },
          headers: { "idempotency-key": key },
          signal,
        });
      const { id, source, name, total } = (await retry(begin, signal, onWait)).import;
      if (personId !== undefined) {
        const stored: StoredImport = { id, key: keyOf(personId, workspaceId), source, name, total, leftOut, at: Date.now() };
        await tryStore(() => storeImport(stored, posts, found.pictures));
      }
      const begun = { id, name, total, leftOut };
      dispatch({ type: "begun", run: begun, pictures: picturesOf(posts), done: 0 });
      changed.current();
      await run(
        newWork(workspaceId, begun, posts, async (path) => found.pictures.get(path)),
        signal,
      );
    } catch (error) {
      dispatch({ type: "refused", problem: signal.aborted ? "Stopped. Nothing was imported." : errorMessage(error) });
    }
  }

  /** Continues after what the server already has. */
  async function continueImport(from: ImportJob): Promise<void> {
    const signal = task.begin();
    const params = { workspaceId, id: from.run.id };
    dispatch({ type: "begun", run: from.run, pictures: picturesOf(from.posts), done: 0 });
    try {
      const read = () => call(importEndpoints.read, { params, signal });
      const { entries } = await retry(read, signal, onWaiting(whileRunning(dispatch, signal)));
      const written = new Set(entries.map(({ external_id }) => external_id));
      await run({ ...from, written, failed: entries.filter(({ outcome }) => outcome === "failed").length }, signal);
    } catch (error) {
      dispatch({ type: "stopped", done: 0, problem: signal.aborted ? null : errorMessage(error) });
    }
  }

  return {
    start: (preview: Preview) => void startImport(preview),
    goOn: () => void (work.current && continueImport(work.current)),
    /** Continues a stored import of an earlier visit. */
    async goOnWith({ id, name, total, leftOut = [], at }: StoredImport): Promise<void> {
      const signal = task.begin();
      try {
        const { posts, kept, picture } = await readStoredImport(id, at);
        if (!signal.aborted) await continueImport(newWork(workspaceId, { id, name, total, leftOut }, posts, picture, kept));
      } catch (error) {
        console.warn("Couldn't read the stored import.", error);
        if (!signal.aborted) dispatch({ type: "refused", problem: unreadable(name) });
      }
    },
  };
}

const newWork = (
  workspaceId: string,
  run: ImportJob["run"],
  posts: readonly PreparedPost[],
  picture: ImportJob["picture"],
  kept = new Map<string, ImageResult>(),
): ImportJob => ({
  ...{ workspaceId, run, posts, picture, kept },
  written: new Set(),
  failed: 0,
  keep: (address, result) => tryStore(() => storeImageResult(run.id, address, result)),
});

const ignore = (): void => undefined;

const picturesOf = (posts: readonly PreparedPost[]): number => new Set(posts.flatMap(({ images }) => images)).size;

const unreadable = (name: string): string =>
  `We couldn't read the saved progress for ${name}. Try again or start over. Imported posts will be recognised.`;

/** Storage is optional: without it the import continues. */
async function tryStore(store: () => Promise<void>): Promise<void> {
  try {
    await store();
  } catch (error) {
    console.warn("Couldn't store the import.", error);
  }
}

/** Creates new tags; returns their keys by label. */
async function createTags(
  { found, ticked, tags }: Preview,
  create: (label: string) => Promise<{ key: string }>,
): Promise<Map<string, string>> {
  const created = new Map<string, string>();
  const selected = [...ticked].flatMap((place) => found.posts[place] ?? []);
  for (const label of newTags(selected, tags)) created.set(label, (await create(label)).key);
  return created;
}
