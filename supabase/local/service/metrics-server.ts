import type { Gauge, Part } from "../engine/parts.ts";
import { listening } from "../engine/ports.ts";
import type { Metrics } from "./metrics.ts";

export function createMetricsServer(port: number, metrics: Metrics, gauges: () => Promise<Gauge[]>): Part {
  let server: Deno.HttpServer | null = null;
  const answer = async (request: Request): Promise<Response> => {
    if (new URL(request.url).pathname !== "/metrics") return new Response(null, { status: 404 });
    return new Response(await metrics.text(await gauges()), { headers: { "content-type": metrics.contentType } });
  };
  const options = { hostname: "127.0.0.1", port, onListen: () => {} };
  return {
    name: "metrics",
    open: () => void (server = listening("TIDINGS_METRICS_PORT", port, () => Deno.serve(options, answer))),
    stop: () => void server?.shutdown(),
  };
}
