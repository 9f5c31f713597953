import { bearerToken } from "../_shared/bearer-token.ts";
import { isSame } from "../_shared/constant-time.ts";
import type { Env } from "../_shared/env.ts";
import { drawingKey } from "../_shared/link-pictures.ts";
import { describeFault, type Log } from "../_shared/log.ts";
import { cardOf, type Subject } from "./fill.ts";
import { readLogo } from "./logo.ts";

export interface Options {
  env: Env;
  write: Log;
  broken(): void;
}

export function createApp({ env, write, broken }: Options): { fetch(request: Request): Promise<Response> } {
  const key = drawingKey(env);

  async function drawn(subject: Subject): Promise<Uint8Array> {
    const { draw } = await import("./draw.ts");
    return await draw(await cardOf(subject, (address) => readLogo(env.supabaseUrl, address)));
  }

  return {
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (request.method !== "POST" || pathname !== "/og/draw") return new Response(null, { status: 404 });
      if (!(await isSame(bearerToken(request.headers) ?? "", await key))) return new Response(null, { status: 401 });
      try {
        const png = await drawn((await request.json()) as Subject);
        return new Response(new Uint8Array(png), { headers: { "content-type": "image/png" } });
      } catch (thrown) {
        if (isBroken(thrown)) broken();
        const fault = describeFault(thrown);
        write({ event: "fault", id: "og", fault });
        return new Response(`${fault.name}: ${fault.message}`, { status: 503 });
      }
    },
  };
}

/** Its memory may be corrupt. */
const isBroken = (thrown: unknown): boolean => thrown instanceof WebAssembly.RuntimeError;
