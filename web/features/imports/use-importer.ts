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
import { isWorking, start, step, type Waiting } from "./machine.ts";
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
  const tags = useLatest(useTags(workspaceId));
  const changed = useLatest(onChanged);
  const running = useRef<AbortController>(undefined);
  /** The run that can go on in this visit. */
  const work = useRef<Work>(undefined);
  /** Files that were chosen last: they can be read once more. */
  const files = useRef<ReadRequest["files"]>([]);
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
      running.current?.abort();
    };
  }, []);

  const begin = (): AbortSignal => {
    running.current?.abort();
    return (running.current = new AbortController()).signal;
  };

  const waits =
    (signal: AbortSignal) =>
    (waiting: Waiting | null): void => {
      if (!signal.aborted) dispatch({ type: "waits", waiting });
    };

  /** Reads, compares with what is here, and shows; a refusal is said. */
  async function read(name: string, request: Omit<ReadRequest, "now" | "workspace" | "page">, signal: AbortSignal): Promise<void> {
    const on = (phase: "reading" | "comparing") => (done: number, of: number | null) => {
      if (!signal.aborted) dispatch({ type: "read on", phase, done, of });
    };
    try {
      on("reading")(0, null);
      const there = { workspace: workspaceId, ...(page === undefined ? {} : { page }), now: new Date().toISOString() };
      const posts = await readInWorker({ ...request, ...there }, signal, on("reading"));
      const [found, here] = await Promise.all([
        compareWithWorkspace(workspaceId, name, posts, signal, { onProgress: on("comparing"), onWait: waits(signal) }),
        call(tagEndpoints.list, { params: { workspaceId }, signal }),
      ]);
      const names = sourceTags(found.posts).map(([tag]) => tag);
      dispatch({ type: "found", found, tags: defaultMapping(names, here.tags) });
    } catch (error) {
      if (!signal.aborted) dispatch({ type: "refused", problem: sentenceOf(error) });
    }
  }

  async function run(from: Work, signal: AbortSignal): Promise<void> {
    work.current = from;
    let done = from.written.size;
    try {
      const ended = await runImport(from, signal, (news) => {
        if (news.type === "wrote") done = news.progress.done;
        if (!signal.aborted) dispatch(news);
      });
      dispatch({ type: "finished", ...ended });
      await inStore(() => forgetImport(from.run.id));
    } catch (error) {
      if (error instanceof ApiError && error.code === "import_over") await inStore(() => forgetImport(from.run.id));
      dispatch({ type: "stopped", done, problem: signal.aborted ? null : sentenceOf(error) });
    } finally {
      emitMissed(workspaceId); // also of a part: every list of posts looks again
      if (shown.current) changed.current();
    }
  }

  async function startImport(preview: Preview): Promise<void> {
    const { found, ticked } = preview;
    dispatch({ type: "start" });
    const signal = begin();
    const key = crypto.randomUUID();
    const wait = <Answer>(calls: () => Promise<Answer>) => retry(calls, signal, waits(signal));
    try {
      const made = await makeTags(preview, (label) => wait(() => tags.current.create(label, "blue")));
      const posts = chosenPosts(preview, made);
      const leftOut = leftOutOf(preview);
      const { import: begun } = await wait(() =>
        call(importEndpoints.begin, {
          params: { workspaceId },
          body: { source: found.source, name: found.name, total: ticked.size },
          headers: { "idempotency-key": key },
          signal,
        }),
      );
      if (personId !== undefined) {
        const { id, source, name, total } = begun;
        await inStore(() =>
          keepImport({ id, key: keyOf(personId, workspaceId), source, name, total, leftOut, at: Date.now() }, posts, found.pictures),
        );
      }
      const run_ = { id: begun.id, name: begun.name, total: begun.total, leftOut };
      dispatch({ type: "begun", run: run_, pictures: picturesOf(posts), done: 0 });
      changed.current();
      await run(
        newWork(run_, posts, async (path) => found.pictures.get(path)),
        signal,
      );
    } catch (error) {
      dispatch({ type: "refused", problem: signal.aborted ? "You stopped it. Nothing was written." : sentenceOf(error) });
    }
  }

  const newWork = (
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

  /** Goes on where the server says that it is. */
  async function goOn(from: Work): Promise<void> {
    const signal = begin();
    const params = { workspaceId, id: from.run.id };
    dispatch({ type: "begun", run: from.run, pictures: picturesOf(from.posts), done: 0 });
    try {
      const { entries } = await retry(() => call(importEndpoints.read, { params, signal }), signal, waits(signal));
      const written = new Set(entries.map(({ external_id }) => external_id));
      await run({ ...from, written, failed: entries.filter(({ outcome }) => outcome === "failed").length }, signal);
    } catch (error) {
      dispatch({ type: "stopped", done: 0, problem: signal.aborted ? null : sentenceOf(error) });
    }
  }

  function readFiles(address?: string): void {
    const signal = begin();
    const chosen = files.current;
    const name = chosen.length === 1 ? chosen[0]!.name : `${chosen.length.toLocaleString()} files`;
    dispatch({ type: "chosen", name, phase: "reading" });
    void read(name, { files: chosen, ...(address === undefined ? {} : { address }) }, signal);
  }

  return {
    state,
    dispatch,
    isWorking: isWorking(state),
    choose(chosen: ReadRequest["files"]): void {
      files.current = chosen;
      readFiles();
    },
    /** The same files once more, of a site whose address somebody has said. */
    readAt: (address: string) => readFiles(address),
    /** Throws an ApiError while nothing has come yet: the form says it. */
    async ask(question: Question): Promise<void> {
      const signal = begin();
      const rest = await askSource(workspaceId, question, signal);
      if (signal.aborted) return;
      const name = nameOfAddress(question.address) || sourceLabels[question.source];
      dispatch({ type: "chosen", name, phase: "asking" });
      void (async () => {
        try {
          const answers = await rest((pages) => {
            if (!signal.aborted) dispatch({ type: "read on", phase: "asking", done: pages, of: null });
          }, waits(signal));
          await read(name, answers, signal);
        } catch (error) {
          if (!signal.aborted) dispatch({ type: "refused", problem: sentenceOf(error) });
        }
      })();
    },
    /** A repository's releases, for their dates. Throws an ApiError: the form says it. */
    async askReleases(question: Omit<Question, "source">): Promise<Release[]> {
      const signal = begin();
      const rest = await askSource(workspaceId, { ...question, source: "github" }, signal);
      const answers = await rest(ignore, ignore);
      const { posts } = await readInWorker({ ...answers, workspace: workspaceId, now: new Date().toISOString() }, signal, ignore);
      return posts.map(({ post }) => post);
    },
    cancel(): void {
      running.current?.abort();
      dispatch({ type: "back" });
    },
    stop: () => running.current?.abort(),
    start: (preview: Preview) => void startImport(preview),
    /** Of this visit. */
    goOn: () => void (work.current && goOn(work.current)),
    /** Of an earlier visit, with what this device has kept. */
    async goOnWith({ id, name, total, leftOut = [], at }: KeptImport): Promise<void> {
      const signal = begin();
      try {
        const { posts, kept, picture } = await readKeptImport(id, at);
        if (!signal.aborted) await goOn(newWork({ id, name, total, leftOut }, posts, picture, kept));
      } catch (error) {
        console.warn("What this device keeps of the import could not be read.", error);
        if (!signal.aborted) dispatch({ type: "refused", problem: unreadable(name) });
      }
    },
  };
}

const ignore = (): void => undefined;

export type Importer = ReturnType<typeof useImporter>;

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
