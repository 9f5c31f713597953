import { useEffect, useRef, useState } from "react";
import { decodeCsv } from "#contract/csv.ts";
import { type InvalidLine, type ReaderList, readersOf } from "#contract/subscriber-csv.ts";
import { importBatch, type ImportedReader, subscriberEndpoints } from "#contract/subscribers.ts";
import { call, sentenceOf } from "../../lib/api-client.ts";
import { retry, type Waiting } from "../../lib/retry.ts";

/** Result of a preview or an import. */
export interface Tally {
  added: number;
  known: number;
  refused: number;
}

type ParsedList = Exclude<ReaderList, { problem: string }>;

export type ImportStep =
  | { at: "choose"; problem?: string }
  /** `done` of `total` readers are processed. */
  | { at: "working"; imports: boolean; done: number; total: number; waiting?: Waiting | null }
  | { at: "preview"; list: ParsedList; tally: Tally; problem?: string }
  /** `stopped`: why it is incomplete. Importing the same list continues. */
  | { at: "done"; tally: Tally; invalid: InvalidLine[]; stopped?: string };

const emptyTally: Tally = { added: 0, known: 0, refused: 0 };
/** Bytes: above 50,000 addresses of maximum length. */
const largestFile = 20_000_000;

/** Import: parsed here, previewed by the server, sent in batches of a thousand. Safe to stop and repeat. */
export function useImport(workspaceId: string, topics: readonly string[], onImported: () => void) {
  const [step, setStep] = useState<ImportStep>({ at: "choose" });
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);

  /** Sends the list in batches with retries. Returns the tally and, if it ended early, why. */
  async function send(readers: readonly ImportedReader[], options: { declared: boolean; trial: boolean }): Promise<[Tally, string?]> {
    const { signal } = (stop.current = new AbortController());
    let tally = emptyTally;
    for (let from = 0; from < readers.length; from += importBatch) {
      setStep({ at: "working", imports: !options.trial, done: from, total: readers.length });
      try {
        const body = { readers: readers.slice(from, from + importBatch).map(compact), ...options };
        const { added, known, refused } = await retry(
          () => call(subscriberEndpoints.import, { params: { workspaceId }, body, signal }),
          signal,
          (waiting) => setStep((step) => (step.at === "working" ? { ...step, waiting } : step)),
        );
        tally = { added: tally.added + added, known: tally.known + known, refused: tally.refused + refused };
      } catch (error) {
        if (signal.aborted) return [tally, "You stopped it."];
        return [tally, sentenceOf(error, "Something went wrong. Please try again.")];
      }
    }
    return [tally];
  }

  return {
    step,
    async look(text: string): Promise<void> {
      const list = readersOf(text, topics);
      if (list.problem !== undefined) return setStep({ at: "choose", problem: list.problem });
      const [tally, problem] = await send(list.readers, { declared: false, trial: true });
      setStep(problem === undefined ? { at: "preview", list, tally } : { at: "choose", problem });
    },
    /** Text of the file; undefined, with an error on screen, if unreadable. */
    async read(file: File): Promise<string | undefined> {
      if (file.size > largestFile) {
        setStep({ at: "choose", problem: "This file is too large. Split it into several files." });
        return undefined;
      }
      try {
        return decodeCsv(new Uint8Array(await file.arrayBuffer()));
      } catch {
        setStep({ at: "choose", problem: "Couldn't read the file." });
        return undefined;
      }
    },
    async start(list: ParsedList, tallyBefore: Tally, declared: boolean): Promise<void> {
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

/** Omits default values: most lists are addresses only. */
const compact = ({ email, frequency, tags, confirmed_at }: ImportedReader): { email: string } & Partial<ImportedReader> => ({
  email,
  ...(frequency !== "instant" && { frequency }),
  ...(tags !== null && { tags }),
  ...(confirmed_at !== null && { confirmed_at }),
});
