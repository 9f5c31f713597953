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
import { emitMissed } from "../posts/post-events.ts";
import { useTags } from "../posts/tags/use-tags.ts";
import { retry, sentenceOf } from "./failures.ts";
import { forgetImport, keepImport, keepPictureResult, type KeptImport, keyOf, readKeptImport } from "./import-store.ts";
import { type Event, isWorking, start, step, type Waiting } from "./machine.ts";
import type { KeptPicture } from "./pictures.ts";
import { chosenPosts, leftOutOf, type Preview } from "./preview.ts";
import { askSource, compareWithWorkspace, type Question, readInWorker } from "./reading.ts";
import { runImport, type Work } from "./run-import.ts";
import { sourceLabels } from "./source-labels.ts";

interface ImporterOptions {
  workspaceId: string;
  personId: string | undefined;
  /** The workspace's public address; undefined until it is known. */
  page: string | undefined;
  /** An import has begun, ended, or was stopped. */
  onChanged: () => void;
}

/** One visit of the import page: carries out what the machine (./machine.ts) only describes. */
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

/** What the page does at the moment: beginning something else, or leaving, aborts it. */
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

/** Dispatches until the task is aborted. */
const whileRunning =
  (dispatch: Visit["dispatch"], signal: AbortSignal): Visit["dispatch"] =>
  (event) => {
    if (!signal.aborted) dispatch(event);
  };

const waits =
  (tell: Visit["dispatch"]) =>
  (waiting: Waiting | null): void =>
    tell({ type: "waits", waiting });

/** From files or another product's server to the preview. */
function useReading({ workspaceId, dispatch, task }: Visit, page: string | undefined) {
  /** Files that were chosen last: they can be read once more. */
  const files = useRef<ReadRequest["files"]>([]);

  /** Reads the posts and compares them with the workspace's. */
  async function read(name: string, request: Omit<ReadRequest, "now" | "workspace" | "page">, signal: AbortSignal): Promise<void> {
    const tell = whileRunning(dispatch, signal);
    const on = (phase: "reading" | "comparing") => (done: number, of: number | null) => tell({ type: "read on", phase, done, of });
    try {
      on("reading")(0, null);
      const there = { workspace: workspaceId, ...(page !== undefined && { page }), now: new Date().toISOString() };
      const posts = await readInWorker({ ...request, ...there }, signal, on("reading"));
      const [found, here] = await Promise.all([
        compareWithWorkspace(workspaceId, name, posts, signal, { onProgress: on("comparing"), onWait: waits(tell) }),
        call(tagEndpoints.list, { params: { workspaceId }, signal }),
      ]);
      const names = sourceTags(found.posts).map(([tag]) => tag);
      dispatch({ type: "found", found, tags: defaultMapping(names, here.tags) });
    } catch (error) {
      if (!signal.aborted) dispatch({ type: "refused", problem: sentenceOf(error) });
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
    /** Reads the same files once more, with the address of their site. */
    readAt: (address: string) => readFiles(address),
    /** Asks another product's server. Throws an ApiError while it has answered nothing yet: the form shows it. */
    async ask(question: Question): Promise<void> {
      const signal = task.begin();
      const tell = whileRunning(dispatch, signal);
      const rest = await askSource(workspaceId, question, signal);
      if (signal.aborted) return;
      const name = nameOfAddress(question.address) || sourceLabels[question.source];
      dispatch({ type: "chosen", name, phase: "asking" });
      void (async () => {
        try {
          const answers = await rest((pages) => tell({ type: "read on", phase: "asking", done: pages, of: null }), waits(tell));
          await read(name, answers, signal);
        } catch (error) {
          if (!signal.aborted) dispatch({ type: "refused", problem: sentenceOf(error) });
        }
      })();
    },
    /** A repository's releases, for their dates. Throws an ApiError: the form shows it. */
    async askReleases(question: Omit<Question, "source">): Promise<Release[]> {
      const signal = task.begin();
      const rest = await askSource(workspaceId, { ...question, source: "github" }, signal);
      const answers = await rest(ignore, ignore);
      const { posts } = await readInWorker({ ...answers, workspace: workspaceId, now: new Date().toISOString() }, signal, ignore);
      return posts.map(({ post }) => post);
    },
  };
}

/** From the preview to what came of it; also on with an import that was interrupted. */
function useWriting({ workspaceId, dispatch, task }: Visit, personId: string | undefined, onChanged: () => void) {
  const tags = useLatest(useTags(workspaceId));
  const changed = useLatest(onChanged);
  /** The run that can go on in this visit. */
  const work = useRef<Work>(undefined);

  async function run(from: Work, signal: AbortSignal): Promise<void> {
    const tell = whileRunning(dispatch, signal);
    work.current = from;
    let done = from.written.size;
    try {
      const ended = await runImport(from, signal, (news) => {
        if (news.type === "wrote") done = news.progress.done;
        tell(news);
      });
      dispatch({ type: "finished", ...ended });
      await inStore(() => forgetImport(from.run.id));
    } catch (error) {
      if (error instanceof ApiError && error.code === "import_over") await inStore(() => forgetImport(from.run.id));
      dispatch({ type: "stopped", done, problem: signal.aborted ? null : sentenceOf(error) });
    } finally {
      emitMissed(workspaceId); // also of a part: every list of posts looks again
      if (task.shown.current) changed.current();
    }
  }

  async function startImport(preview: Preview): Promise<void> {
    const { found, ticked } = preview;
    dispatch({ type: "start" });
    const signal = task.begin();
    const onWait = waits(whileRunning(dispatch, signal));
    const key = crypto.randomUUID();
    try {
      const made = await makeTags(preview, (label) => retry(() => tags.current.create(label, "blue"), signal, onWait));
      const posts = chosenPosts(preview, made);
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
        const kept: KeptImport = { id, key: keyOf(personId, workspaceId), source, name, total, leftOut, at: Date.now() };
        await inStore(() => keepImport(kept, posts, found.pictures));
      }
      const begun = { id, name, total, leftOut };
      dispatch({ type: "begun", run: begun, pictures: picturesOf(posts), done: 0 });
      changed.current();
      await run(
        newWork(workspaceId, begun, posts, async (path) => found.pictures.get(path)),
        signal,
      );
    } catch (error) {
      dispatch({ type: "refused", problem: signal.aborted ? "You stopped it. Nothing was written." : sentenceOf(error) });
    }
  }

  /** Goes on from where the server says it stopped. */
  async function goOn(from: Work): Promise<void> {
    const signal = task.begin();
    const params = { workspaceId, id: from.run.id };
    dispatch({ type: "begun", run: from.run, pictures: picturesOf(from.posts), done: 0 });
    try {
      const read = () => call(importEndpoints.read, { params, signal });
      const { entries } = await retry(read, signal, waits(whileRunning(dispatch, signal)));
      const written = new Set(entries.map(({ external_id }) => external_id));
      await run({ ...from, written, failed: entries.filter(({ outcome }) => outcome === "failed").length }, signal);
    } catch (error) {
      dispatch({ type: "stopped", done: 0, problem: signal.aborted ? null : sentenceOf(error) });
    }
  }

  return {
    start: (preview: Preview) => void startImport(preview),
    /** Goes on with the import of this visit. */
    goOn: () => void (work.current && goOn(work.current)),
    /** Goes on with one of an earlier visit, from what this device has kept. */
    async goOnWith({ id, name, total, leftOut = [], at }: KeptImport): Promise<void> {
      const signal = task.begin();
      try {
        const { posts, kept, picture } = await readKeptImport(id, at);
        if (!signal.aborted) await goOn(newWork(workspaceId, { id, name, total, leftOut }, posts, picture, kept));
      } catch (error) {
        console.warn("What this device keeps of the import could not be read.", error);
        if (!signal.aborted) dispatch({ type: "refused", problem: unreadable(name) });
      }
    },
  };
}

const newWork = (
  workspaceId: string,
  run: Work["run"],
  posts: readonly PreparedPost[],
  picture: Work["picture"],
  kept = new Map<string, KeptPicture>(),
): Work => ({
  ...{ workspaceId, run, posts, picture, kept },
  written: new Set(),
  failed: 0,
  keep: (address, result) => inStore(() => keepPictureResult(run.id, address, result)),
});

const ignore = (): void => undefined;

const picturesOf = (posts: readonly PreparedPost[]): number => new Set(posts.flatMap(({ images }) => images)).size;

const unreadable = (name: string): string =>
  `This browser could not read what it has kept of ${name}. Please try again, or begin anew: what came in already is recognised.`;

/** What is kept on this device is a help, not a need: where the browser keeps nothing, the import goes on without. */
async function inStore(store: () => Promise<void>): Promise<void> {
  try {
    await store();
  } catch (error) {
    console.warn("This device keeps nothing of the import.", error);
  }
}

/** Makes the tags that are new; answers their keys by their labels. */
async function makeTags(
  { found, ticked, tags }: Preview,
  create: (label: string) => Promise<{ key: string }>,
): Promise<Map<string, string>> {
  const made = new Map<string, string>();
  const wanted = [...ticked].flatMap((place) => found.posts[place] ?? []);
  for (const label of newTags(wanted, tags)) made.set(label, (await create(label)).key);
  return made;
}
