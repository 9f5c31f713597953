import type { Dns } from "../_shared/dns.ts";
import { readEnv } from "../_shared/env.ts";
import { log } from "../_shared/log.ts";
import { createApp } from "./app.ts";
import type { Line, Network } from "../_shared/outbound/network.ts";

const env = readEnv((name) => Deno.env.get(name));

const whereFound = async <T>(asking: Promise<T>): Promise<T | null> => {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
};
const server = env.dnsServer === null ? {} : { nameServer: env.dnsServer };
const dns: Dns = {
  texts: async (name, signal) =>
    (await whereFound(Deno.resolveDns(name, "TXT", { ...server, signal })))?.map((pieces) => pieces.join("")) ?? null,
  names: (name, kind, signal) => whereFound(Deno.resolveDns(name, kind, { ...server, signal })),
  caa: (name, signal) => whereFound(Deno.resolveDns(name, "CAA", { ...server, signal })),
};

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

/** Hosted stops a worker after its response unless told to wait. */
const { EdgeRuntime } = globalThis as { EdgeRuntime?: { waitUntil?(work: Promise<unknown>): void } };

const app = createApp(env, log, dns, { network, waitUntil: (work) => EdgeRuntime?.waitUntil?.(work) });

Deno.serve(app.fetch);
