import { readEnv } from "../_shared/env.ts";
import { createPresence } from "./app.ts";

/** Hosted only: a worker that waits for nothing is retired early. */
declare const EdgeRuntime: { waitUntil(promise: Promise<unknown>): void } | undefined;

const presence = createPresence({
  env: readEnv((name) => Deno.env.get(name)),
  upgrade: (request, options) => Deno.upgradeWebSocket(request, options),
  keepAlive: (until) => {
    if (typeof EdgeRuntime !== "undefined") EdgeRuntime.waitUntil(until);
  },
});

addEventListener("beforeunload", () => presence.closeAll());

Deno.serve(presence.fetch);
