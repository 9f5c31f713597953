import { createApp } from "./app.tsx";
import { readEnvironment } from "./environment.ts";
import { connect } from "./queries/database.ts";

const { publicUrl, databaseUrl, trustedProxies, connections } = readEnvironment((name) => Deno.env.get(name));
const app = createApp({ publicUrl, sql: connect(databaseUrl, { max: connections }), proxies: trustedProxies });

Deno.serve(app.fetch);
