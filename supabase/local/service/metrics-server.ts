import { Registry } from "prom-client";
import type { Part } from "../engine/parts.ts";
import { listening } from "../engine/ports.ts";

/** GET /metrics, on this machine only, whatever the gateway listens on. `text` makes the answer. */
export function createMetricsServer(port: number, text: () => Promise<string>): Part {
  let server: Deno.HttpServer | null = null;
  const answer = async (request: Request): Promise<Response> => {
    if (new URL(request.url).pathname !== "/metrics") return new Response(null, { status: 404 });
    return new Response(await text(), { headers: { "content-type": Registry.PROMETHEUS_CONTENT_TYPE } });
  };
  const options = { hostname: "127.0.0.1", port, onListen: () => {} };
  return {
    name: "metrics",
    open: () => void (server = listening("METRICS_PORT", port, () => Deno.serve(options, answer))),
    stop: () => void server?.shutdown(),
  };
}
