import { readEnv } from "../_shared/env.ts";
import { createApp } from "./app.tsx";
import { connect } from "./queries/database.ts";

const env = readEnv((name) => Deno.env.get(name));
const app = createApp({
  publicUrl: env.publicUrl,
  sql: connect(env.databaseUrl, { max: env.releasesConnections }),
  proxies: env.trustedProxies,
});

Deno.serve(app.fetch);
