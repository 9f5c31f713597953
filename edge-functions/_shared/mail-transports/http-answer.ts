import { z } from "zod";
import type { ApiRequest } from "#contract/mail-transports.ts";
import { bytesUpTo } from "../bytes-up-to.ts";
import { secondsOfRetryAfter } from "../retry-after.ts";
import type { Handed } from "./handed.ts";

const patienceMs = 10_000;
/** As much of an answer as is read: what they say of a mail is a few hundred bytes. */
const longestAnswer = 16_384;

export interface HttpAnswer {
  status: number;
  ok: boolean;
  /** Seconds that the transport wants to be left alone; undefined where it says nothing of it. */
  after: number | undefined;
  /** The JSON that came with it; null where it is none. */
  said: unknown;
}

/** Posts JSON; rejects when there is no answer in time. Nothing is followed elsewhere: the key is for this address. */
export async function postJson({ url, headers, body }: ApiRequest): Promise<HttpAnswer> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    redirect: "manual",
    signal: AbortSignal.timeout(patienceMs),
  });
  const { status, ok } = answer;
  return { status, ok, after: secondsOfRetryAfter(answer.headers.get("retry-after")), said: await jsonOf(answer) };
}

async function jsonOf(answer: Response): Promise<unknown> {
  try {
    const body = await bytesUpTo(answer.body, longestAnswer);
    return body === null ? null : JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null; // the status has said whether the mail was taken
  }
}

/** The fields of an answer, of which any may be missing. */
export function fieldsOf<Shape extends z.ZodRawShape>(shape: Shape, said: unknown): Partial<z.output<z.ZodObject<Shape>>> {
  const parsed = z.object(shape).partial().safeParse(said);
  return parsed.success ? (parsed.data as Partial<z.output<z.ZodObject<Shape>>>) : {};
}

/** What is wrong with the mail itself; everything else, a wrong key as well, may be different another time. */
const refusals = new Set([400, 404, 405, 413, 422]);

export const outcomeOf = (status: number): Handed["outcome"] => (refusals.has(status) ? "failed" : "again");
