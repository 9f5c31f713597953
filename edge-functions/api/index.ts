import { readEnv } from "../_shared/env.ts";
import { createApp } from "./app.ts";

const app = createApp(readEnv((name) => Deno.env.get(name)));

Deno.serve(app.fetch);
