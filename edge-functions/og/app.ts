import { bearerToken } from "../_shared/bearer-token.ts";
import { isSame } from "../_shared/constant-time.ts";
import type { Env } from "../_shared/env.ts";
import { drawingKey, LinkPictures, type WantedPicture } from "../_shared/link-pictures.ts";
import { describeFault, type Log } from "../_shared/log.ts";
import { cardOf, type Subject } from "./fill.ts";
import { readLogo } from "./logo.ts";

export interface Options {
  env: Env;
  write: Log;
  broken(): void;
}

/** Hosted limits a request to two seconds of CPU; a cold start takes half a second, an image under 200 ms. */
const longestMs = 700;

export function createApp({ env, write, broken }: Options): { fetch(request: Request): Promise<Response> } {
  const pictures = new LinkPictures(env);
  const key = drawingKey(env);

  async function drawn(subject: Subject): Promise<Uint8Array> {
    const { draw } = await import("./draw.ts");
    return await draw(await cardOf(subject, (address) => readLogo(env.supabaseUrl, address)));
  }

  async function drawOne(wanted: WantedPicture): Promise<void> {
    try {
      await pictures.settle(wanted, { path: await pictures.keep(wanted.workspace_id, await drawn(wanted)) });
    } catch (thrown) {
      const fault = describeFault(thrown);
      write({ event: "fault", id: wanted.id, fault });
      await pictures.settle(wanted, { error: `${fault.name}: ${fault.message}`.slice(0, 500) });
      if (isBroken(thrown)) broken();
    }
  }

  async function drawSome(): Promise<boolean> {
    const until = performance.now() + longestMs;
    do {
      const wanted = await pictures.claim();
      if (wanted === undefined) return false;
      await drawOne(wanted);
    } while (performance.now() < until);
    return true;
  }

  return {
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (request.method !== "POST" || !["/og/draw", "/og/preview"].includes(pathname)) return new Response(null, { status: 404 });
      if (!(await isSame(bearerToken(request.headers) ?? "", await key))) return new Response(null, { status: 401 });
      try {
        if (pathname === "/og/draw") return Response.json({ more: await drawSome() });
        const png = await drawn((await request.json()) as Subject);
        return new Response(new Uint8Array(png), { headers: { "content-type": "image/png" } });
      } catch (thrown) {
        if (isBroken(thrown)) broken();
        write({ event: "fault", id: "og", fault: describeFault(thrown) });
        return new Response(null, { status: 503 });
      }
    },
  };
}

/** Its memory may be corrupt. */
const isBroken = (thrown: unknown): boolean => thrown instanceof WebAssembly.RuntimeError;
