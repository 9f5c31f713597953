import { readEnv } from "../_shared/env.ts";
import { log } from "../_shared/log.ts";
import { createApp } from "./app.ts";
import type { Line, Network } from "../_shared/outbound/network.ts";

/** Pieces of a long text are one. */
async function lookUpTexts(name: string, signal: AbortSignal): Promise<string[] | null> {
  try {
    return (await Deno.resolveDns(name, "TXT", { signal })).map((pieces) => pieces.join(""));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

const network: Network = {
  async resolve(name, kind, signal) {
    try {
      return await Deno.resolveDns(name, kind, { signal });
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return [];
      throw error;
    }
  },
  connect: (hostname, port) => Deno.connect({ hostname, port }),
  secure: (line: Line, name) => Deno.startTls(line as Deno.TcpConn, { hostname: name }),
};

/** Hosted ends a worker that has answered, unless it is told what is still under way. */
const { EdgeRuntime } = globalThis as { EdgeRuntime?: { waitUntil?(work: Promise<unknown>): void } };

const app = createApp(
  readEnv((name) => Deno.env.get(name)),
  log,
  lookUpTexts,
  { network, goOn: (work) => EdgeRuntime?.waitUntil?.(work) },
);

Deno.serve(app.fetch);
