import { z } from "zod";
import type { ApiRequest } from "#contract/mail-transports.ts";
import { bytesUpTo } from "../bytes-up-to.ts";
import { secondsOfRetryAfter } from "../retry-after.ts";
import type { Handed } from "./send-result.ts";

const timeoutMs = 10_000;
const longestAnswer = 16_384;

export interface HttpAnswer {
  status: number;
  ok: boolean;
  after: number | undefined;
  said: unknown;
}

export async function postJson({ url, headers, body }: ApiRequest): Promise<HttpAnswer> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
  });
  const { status, ok } = response;
  return { status, ok, after: secondsOfRetryAfter(response.headers.get("retry-after")), said: await jsonOf(response) };
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    const body = await bytesUpTo(response.body, longestAnswer);
    return body === null ? null : JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}

export function fieldsOf<Shape extends z.ZodRawShape>(shape: Shape, responseBody: unknown): Partial<z.output<z.ZodObject<Shape>>> {
  const parsed = z.object(shape).partial().safeParse(responseBody);
  return parsed.success ? (parsed.data as Partial<z.output<z.ZodObject<Shape>>>) : {};
}

/** Permanent errors of the email itself; others, including a wrong key, are retried. */
const refusals = new Set([400, 404, 405, 413, 422]);

export const outcomeOf = (status: number): Handed["outcome"] => (refusals.has(status) ? "failed" : "again");
