import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Part } from "../engine/parts.ts";

const lookUpEveryMs = 1_000;

/** The front door's current address. A name is looked up every second: a container that is made anew gets another address. */
export class FrontDoor implements Part {
  readonly name = "front door";
  readonly #host: string;
  #address: string | null;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(host: string) {
    this.#host = host === "localhost" ? "127.0.0.1" : host;
    this.#address = isIP(this.#host) ? this.#host : null;
  }

  /** Null while the name has no address. */
  get address(): string | null {
    return this.#address;
  }

  async start(): Promise<void> {
    if (isIP(this.#host)) return;
    await this.#lookUp();
    this.#timer = setInterval(() => void this.#lookUp(), lookUpEveryMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #lookUp(): Promise<void> {
    this.#address = await lookup(this.#host, 4).then(
      ({ address }) => address,
      () => null, // it may not have started yet
    );
  }
}
