import type { Env } from "../_shared/env.ts";
import { askToDraw, LinkPictures } from "../_shared/link-pictures.ts";
import { log } from "../_shared/log.ts";

const longestMs = 20_000;

/** Wakes the function that draws social images, only when images are due, because its cold start is slow. */
export class PictureWorker {
  readonly #env: Env;
  readonly #pictures: LinkPictures;
  #underWay: Promise<void> | null = null;

  constructor(env: Env) {
    this.#env = env;
    this.#pictures = new LinkPictures(env);
  }

  /** Resolves when done or after the time limit. Never rejects: the next wake retries. */
  wake(): Promise<void> {
    this.#underWay ??= this.#work()
      .catch((error: unknown) => log({ event: "pictures not drawn", reason: error instanceof Error ? error.message : "unknown" }))
      .finally(() => (this.#underWay = null));
    return this.#underWay;
  }

  async #work(): Promise<void> {
    const until = Date.now() + longestMs;
    let more = await this.#pictures.due();
    while (more && Date.now() < until) more = await this.#drawSome();
  }

  /** A few per request: hosted limits CPU time. */
  async #drawSome(): Promise<boolean> {
    const answer = await askToDraw(this.#env, "draw");
    if (answer.ok) return ((await answer.json()) as { more: boolean }).more;
    await answer.body?.cancel();
    throw new Error(`the function that draws answered ${answer.status}`);
  }
}
