import { useEffect, useRef, useState } from "react";
import { decodeCsv } from "#contract/csv.ts";
import { type InvalidLine, type ReaderList, readersOf } from "#contract/subscriber-csv.ts";
import { importBatch, type ImportedReader, subscriberEndpoints } from "#contract/subscribers.ts";
import { ApiError, call } from "../../lib/api-client.ts";

/** What is known of a list: from looking at it, or from importing it. */
export interface Tally {
  added: number;
  known: number;
  refused: number;
}

type Whole = Exclude<ReaderList, { problem: string }>;

export type ImportStep =
  | { at: "choose"; problem?: string }
  /** `done` of `total` readers are through; looking, or importing. */
  | { at: "working"; imports: boolean; done: number; total: number }
  | { at: "preview"; list: Whole; tally: Tally; problem?: string }
  /** `stopped`: not all of them, because somebody stopped it or it failed; the same list again goes on. */
  | { at: "done"; tally: Tally; invalid: InvalidLine[]; stopped?: string };

const none: Tally = { added: 0, known: 0, refused: 0 };
const longestWaitMs = 60_000;
/** Larger files are none that fit: 50,000 addresses of the greatest length. */
const largestFile = 20_000_000;

/** A list of readers on its way in: read here, looked at by the server, sent a thousand at a time; safe to stop and to repeat. */
export function useImport(workspaceId: string, topics: readonly string[], onImported: () => void) {
  const [step, setStep] = useState<ImportStep>({ at: "choose" });
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);

  /** Sends all of it in pieces; a server that is busy is waited for. Answers what came of it and why it ended early. */
  async function send(readers: readonly ImportedReader[], options: { declared: boolean; trial: boolean }): Promise<[Tally, string?]> {
    const { signal } = (stop.current = new AbortController());
    let tally = none;
    for (let from = 0; from < readers.length; from += importBatch) {
      setStep({ at: "working", imports: !options.trial, done: from, total: readers.length });
      try {
        const body = { readers: readers.slice(from, from + importBatch).map(short), ...options };
        const { added, known, refused } = await patiently(
          () => call(subscriberEndpoints.import, { params: { workspaceId }, body, signal }),
          signal,
        );
        tally = { added: tally.added + added, known: tally.known + known, refused: tally.refused + refused };
      } catch (error) {
        if (signal.aborted) return [tally, "You stopped it."];
        return [tally, sentenceOf(error)];
      }
    }
    return [tally];
  }

  return {
    step,
    /** Reads a text and asks what it would do. */
    async look(text: string): Promise<void> {
      const list = readersOf(text, topics);
      if (list.problem !== undefined) return setStep({ at: "choose", problem: list.problem });
      const [tally, problem] = await send(list.readers, { declared: false, trial: true });
      setStep(problem === undefined ? { at: "preview", list, tally } : { at: "choose", problem });
    },
    /** The text of a chosen file; undefined, with a sentence on the screen, where there is none to be had. */
    async read(file: File): Promise<string | undefined> {
      if (file.size > largestFile) {
        setStep({ at: "choose", problem: "This file is larger than any list of 50,000 lines. Please split it into several." });
        return undefined;
      }
      try {
        return decodeCsv(new Uint8Array(await file.arrayBuffer()));
      } catch {
        setStep({ at: "choose", problem: "The file could not be read." });
        return undefined;
      }
    },
    async start(list: Whole, tallyBefore: Tally, declared: boolean): Promise<void> {
      const [tally, stopped] = await send(list.readers, { declared, trial: false });
      if (tally.added > 0) onImported();
      if (stopped !== undefined && tally.added + tally.known + tally.refused === 0) {
        return setStep({ at: "preview", list, tally: tallyBefore, problem: stopped });
      }
      setStep({ at: "done", tally, invalid: list.invalid, stopped });
    },
    stop: () => stop.current?.abort(),
    back: () => setStep({ at: "choose" }),
  };
}

/** Without what goes without saying: most lists are addresses alone. */
const short = ({ email, frequency, tags, confirmed_at }: ImportedReader): { email: string } & Partial<ImportedReader> => ({
  email,
  ...(frequency !== "instant" && { frequency }),
  ...(tags !== null && { tags }),
  ...(confirmed_at !== null && { confirmed_at }),
});

const sentenceOf = (error: unknown): string => (error instanceof ApiError ? error.sentence : "Something went wrong. Please try again.");

/** Repeats what is refused only because it is too much at once. */
async function patiently<Answer>(work: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  const until = Date.now() + longestWaitMs;
  for (let waitMs = 1_000; ; waitMs = Math.min(waitMs * 2, 10_000)) {
    try {
      return await work();
    } catch (error) {
      const isBusy =
        error instanceof ApiError && (error.code === "rate_limited" || error.code === "unavailable" || error.code === "network");
      if (!isBusy || signal.aborted || Date.now() + waitMs > until) throw error;
    }
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      signal.addEventListener("abort", () => (clearTimeout(timer), resolve(undefined)), { once: true });
    });
    signal.throwIfAborted();
  }
}
