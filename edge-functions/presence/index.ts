import { readEnv } from "../_shared/env.ts";
import { describeFault, log } from "../_shared/log.ts";
import { createPresence } from "./app.ts";

/** Hosted only: keeps the worker from being retired. */
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

/** An invalid broadcast throws in Realtime's client; it must not end the process. */
const logAndContinue = (event: Event, thrown: unknown) => {
  event.preventDefault();
  log({ event: "fault", id: crypto.randomUUID(), fault: describeFault(thrown) });
};
addEventListener("error", (event) => logAndContinue(event, event.error));
addEventListener("unhandledrejection", (event) => logAndContinue(event, event.reason));
