import { importEndpoints } from "#contract/imports.ts";
import { call } from "../../lib/api-client.ts";
import type { Waiting } from "./machine.ts";
import { patiently } from "./patience.ts";
import { ReadingProblem } from "./reading.ts";
import type { ReadRequest } from "./read-protocol.ts";
import type { AskedSource } from "./source-words.ts";

export interface Question {
  source: AskedSource;
  address: string;
  key: string;
}

type Answers = Required<Pick<ReadRequest, "files" | "source" | "address">>;

/** Far more than any changelog has: a source that never ends is given up. */
const mostPages = 500;
const mostBytes = 100_000_000;
const tooMuch = "This source has more than one import can take. Nothing was written.";

/**
 * Asks another product's server for the first piece of what it holds: throws the ApiError that says at which field something is wrong. What it
 * answers brings the rest.
 */
export async function askSource(workspaceId: string, question: Question, signal: AbortSignal) {
  const ask = async (after: string | null) =>
    await call(importEndpoints.source, { params: { workspaceId }, body: { ...question, after }, signal });
  const first = await ask(null);

  return async function rest(onPage: (pages: number) => void, onWait: (waiting: Waiting | null) => void): Promise<Answers> {
    const files: Answers["files"] = [];
    let bytes = 0;
    for (let page = first; ;) {
      files.push({ name: page.name, content: new Blob([page.text]) });
      bytes += page.text.length;
      onPage(files.length);
      const { next } = page;
      if (next === null) return { files, source: question.source, address: first.address };
      if (files.length === mostPages || bytes > mostBytes) throw new ReadingProblem(tooMuch);
      page = await patiently(() => ask(next), signal, onWait);
    }
  };
}
