import { readEnv } from "../_shared/env.ts";
import { describeFault, log } from "../_shared/log.ts";
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

/** Realtime's client reads what others have sent inside of an event: what it cannot read ends nobody's socket. */
const goOn = (event: Event, thrown: unknown) => {
  event.preventDefault();
  log({ event: "fault", id: crypto.randomUUID(), fault: describeFault(thrown) });
};
addEventListener("error", (event) => goOn(event, event.error));
addEventListener("unhandledrejection", (event) => goOn(event, event.reason));
