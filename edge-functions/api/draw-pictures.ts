import type { Env } from "../_shared/env.ts";
import { askToDraw, LinkPictures } from "../_shared/link-pictures.ts";
import { log } from "../_shared/log.ts";

/** A clock asks again before long. */
const longestMs = 20_000;

/** Wakes the function that draws pictures for links where something is due: most minutes nothing is, and it is the one that starts slowly. */
export class PictureWorker {
  readonly #env: Env;
  readonly #pictures: LinkPictures;
  #underWay: Promise<void> | null = null;

  constructor(env: Env) {
    this.#env = env;
    this.#pictures = new LinkPictures(env);
  }

  /** Resolves when nothing is due any more, or this has gone on for long enough. Never fails: what stays waits for the next. */
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

  /** A few pictures a request: hosted counts the CPU of each. */
  async #drawSome(): Promise<boolean> {
    const answer = await askToDraw(this.#env, "draw");
    if (answer.ok) return ((await answer.json()) as { more: boolean }).more;
    await answer.body?.cancel();
    throw new Error(`the function that draws answered ${answer.status}`);
  }
}
