import type { Gauge, Part } from "../engine/parts.ts";
import { listening } from "../engine/ports.ts";
import { createHandler, type Parts } from "./handler.ts";
import type { RequestLine } from "./request-log.ts";
import { sockets } from "./websocket.ts";

export interface GatewayOptions {
  port: number;
  parts: Parts;
  answered(line: RequestLine): void;
}

/** The public port. It listens before the parts start and answers 503 until then. */
export class Gateway implements Part {
  readonly name = "gateway";
  readonly #options: GatewayOptions;
  #server: Deno.HttpServer | null = null;
  #ended: Promise<void> = Promise.resolve();

  constructor(options: GatewayOptions) {
    this.#options = options;
  }

  open(): void {
    const { port, parts, answered } = this.#options;
    const options = { hostname: parts.listensOn, port, automaticCompression: true, onListen: () => {} };
    this.#server = listening("PORT", port, () => Deno.serve(options, createHandler(parts, answered)));
  }

  stop(): void {
    if (this.#server) this.#ended = this.#server.shutdown();
  }

  async ended(timeoutMs: number): Promise<void> {
    await Promise.race([this.#ended, new Promise((resolve) => setTimeout(resolve, timeoutMs))]);
  }

  gauges(): Gauge[] {
    return [
      { name: "sockets", help: "Open WebSockets to functions.", value: sockets.open },
      { name: "realtime_sockets", help: "Open WebSockets of Realtime.", value: sockets.realtime },
    ];
  }
}
