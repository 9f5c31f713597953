import { createApp } from "./app.tsx";
import { readEnvironment } from "./environment.ts";
import { connect } from "./queries/database.ts";

const { databaseUrl, trustedProxies: proxies, connections, ...environment } = readEnvironment((name) => Deno.env.get(name));
/** Hosted stops a worker after its response unless told to wait. */
const { EdgeRuntime } = globalThis as { EdgeRuntime?: { waitUntil?(work: Promise<unknown>): void } };

const app = createApp({
  ...environment,
  sql: connect(databaseUrl, { max: connections }),
  proxies,
  countries: EdgeRuntime === undefined, // behind hosted's own Cloudflare the header is the front door's country
  waitUntil: (work) => EdgeRuntime?.waitUntil?.(work),
});

Deno.serve(app.fetch);
