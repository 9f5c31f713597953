import { createApp } from "./app.tsx";
import { readEnvironment } from "./environment.ts";
import { connect } from "./queries/database.ts";

const { databaseUrl, trustedProxies: proxies, connections, ...environment } = readEnvironment((name) => Deno.env.get(name));
/** Hosted ends a worker that has answered, unless it is told what is still under way. */
const { EdgeRuntime } = globalThis as { EdgeRuntime?: { waitUntil?(work: Promise<unknown>): void } };

const app = createApp({
  ...environment,
  sql: connect(databaseUrl, { max: connections }),
  proxies,
  countries: EdgeRuntime === undefined, // hosted stands behind Cloudflare itself: there the header names our front door's country
  goOn: (work) => EdgeRuntime?.waitUntil?.(work),
});

Deno.serve(app.fetch);
