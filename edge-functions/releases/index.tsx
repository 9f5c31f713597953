import { createApp } from "./app.tsx";
import { readEnvironment } from "./environment.ts";
import { connect } from "./queries/database.ts";

const { databaseUrl, trustedProxies: proxies, connections, ...environment } = readEnvironment((name) => Deno.env.get(name));
const app = createApp({ ...environment, sql: connect(databaseUrl, { max: connections }), proxies });

Deno.serve(app.fetch);
