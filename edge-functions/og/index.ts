import { readEnv } from "../_shared/env.ts";
import { log } from "../_shared/log.ts";
import { createApp } from "./app.ts";

const app = createApp({
  env: readEnv((name) => Deno.env.get(name)),
  write: log,
  broken: () => void setTimeout(() => Deno.exit(1), 100),
});

Deno.serve(app.fetch);
