import { type Endpoint, isForKeys } from "#contract/endpoint.ts";
import { bodyPace, byteBudget, jsonBodyMaxBytes, largeBytes } from "#contract/body-limits.ts";
import { ByteBudget } from "#contract/rules/byte-budget.ts";
import { BytePace } from "#contract/rules/byte-pace.ts";
import { FairQueue, QueueFull } from "#contract/rules/fair-queue.ts";
import { AppError } from "./errors.ts";

/** What keeps one person's large calls from taking the time of everybody: a budget of bytes each, long bodies at one pace, one large call at a time. */
export class Workload {
  readonly #budget: ByteBudget;
  readonly #large = new FairQueue();
  readonly #pace = new BytePace(bodyPace);

  constructor(rateLimitScale: number) {
    this.#budget = new ByteBudget({ size: byteBudget.size * rateLimitScale, perSecond: byteBudget.perSecond * rateLimitScale });
  }

  /** Counts a call of a person; refused before anything of its body is read. Answers how many bytes that were. */
  admit(person: string, request: Request, endpoint: Endpoint): number {
    const wait = this.#budget.wait(person);
    if (wait > 0) throw new AppError("rate_limited", { retryAfter: wait });
    if (endpoint.method === "GET") return 0;
    const length = lengthOf(request);
    // Files have a limit of their own.
    const counted = endpoint.carriesContent ? length : Math.min(length, largeBytes);
    const charged = Math.max(byteBudget.least, counted);
    this.#budget.charge(person, charged);
    return charged;
  }

  /** A piece of a long body has arrived; resolves when the next may be read. */
  async arrived(who: string, bytes: number): Promise<void> {
    await this.#pace.take(who, bytes);
  }

  /** A body that came without its length was counted as the longest, and is counted as it was once it is here. */
  received(person: string, charged: number, bytes: number): void {
    const counted = Math.max(byteBudget.least, bytes);
    if (counted < charged) this.#budget.charge(person, counted - charged);
  }

  /** Does what a call asks for once its body is complete, so that a slow connection holds no place in the queue. */
  async carry<Answer>(person: string | undefined, bodyLength: number, work: () => Promise<Answer>): Promise<Answer> {
    if (person === undefined || bodyLength <= largeBytes) return await work();
    return await inTurn(this.#large, person, work);
  }

  /** What was answered, to whom: short answers count nothing. */
  answered(person: string | undefined, bytes: number): void {
    if (person !== undefined && bytes > largeBytes) this.#budget.charge(person, bytes);
  }
}

/** Does a person's work when its turn comes; refused where too many of that person wait already. */
export async function inTurn<Made>(queue: FairQueue, person: string, work: () => Promise<Made>): Promise<Made> {
  try {
    return await queue.run(person, work);
  } catch (error) {
    throw error instanceof QueueFull ? new AppError("rate_limited", { retryAfter: 1 }) : error;
  }
}

/** A byte of Markdown is as much work as so many of a post's own blocks. */
const asMarkdown = 8;

/** What a body asks of this process, in bytes: what programs and assistants write may be Markdown, which waits for its turn from eight kilobytes on. */
export function workOf({ access, protocol, carriesContent }: Endpoint, bytes: number): number {
  const mayBeMarkdown = protocol || (isForKeys(access) && carriesContent);
  return mayBeMarkdown ? bytes * asMarkdown : bytes;
}

/** A body that does not say its length counts as the longest. */
function lengthOf({ headers, body }: Request): number {
  if (headers.has("content-length")) return Math.min(Number(headers.get("content-length")), jsonBodyMaxBytes);
  return body === null ? 0 : jsonBodyMaxBytes;
}
