import { Worker } from "node:worker_threads";
import bcrypt from "bcryptjs";

export type HashingTask = { id: number; password: string } & ({ hash: string } | { rounds: number });
export type HashingResult = { id: number; value: boolean | string } | { id: number; error: Error };

interface Waiting {
  resolve(value: boolean | string): void;
  reject(error: Error): void;
}

/** Queue limit. A hash takes 70 ms, so the last request waits a few seconds. */
const maxRequests = 50;

/** Hashes in a worker thread: 70 ms of bcrypt on the main thread would delay all requests and leak timing. */
export class PasswordHashing {
  #worker: Worker | null = null;
  #requests = 0;
  #lastId = 0;
  readonly #waiting = new Map<number, Waiting>();

  compare(password: string, hash: string): Promise<boolean> {
    return this.#run({ id: ++this.#lastId, password, hash }) as Promise<boolean>;
  }

  hash(password: string, rounds: number): Promise<string> {
    return this.#run({ id: ++this.#lastId, password, rounds }) as Promise<string>;
  }

  /** Runs work that may hash; null if the queue is full. */
  async admit<Result>(work: () => Promise<Result>): Promise<Result | null> {
    if (this.#requests >= maxRequests) return null;
    this.#requests += 1;
    try {
      return await work();
    } finally {
      this.#requests -= 1;
    }
  }

  /** Makes every bcryptjs call hash in the worker. */
  replaceBcrypt(): void {
    Object.assign(bcrypt, {
      compare: (password: string, hash: string) => this.compare(password, hash),
      hash: (password: string, rounds: number) => this.hash(password, rounds),
    });
  }

  #run(task: HashingTask): Promise<boolean | string> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(task.id, { resolve, reject });
      this.#worker ??= this.#start();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      this.#worker.postMessage(task);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL("./password-worker.ts", import.meta.url));
    worker.unref();
    worker.on("message", (result: HashingResult) => {
      const waiting = this.#waiting.get(result.id);
      this.#waiting.delete(result.id);
      if ("error" in result) waiting?.reject(result.error);
      else waiting?.resolve(result.value);
    });
    worker.on("error", (error: Error) => {
      this.#worker = null;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    });
    return worker;
  }
}
