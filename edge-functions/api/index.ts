import { readEnv } from "../_shared/env.ts";
import { log } from "../_shared/log.ts";
import { createApp } from "./app.ts";

/** Pieces of a long text are one. */
async function lookUpTexts(name: string, signal: AbortSignal): Promise<string[] | null> {
  try {
    return (await Deno.resolveDns(name, "TXT", { signal })).map((pieces) => pieces.join(""));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

const app = createApp(
  readEnv((name) => Deno.env.get(name)),
  log,
  lookUpTexts,
);

Deno.serve(app.fetch);
