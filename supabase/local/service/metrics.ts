import type { Sql } from "postgres";
import type { Gauge, Part } from "../engine/parts.ts";
import { listening } from "../engine/ports.ts";
import type { RequestLine } from "../gateway/request-log.ts";

const bounds = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000]; // ms

interface Route {
  /** Requests per bound, those above the last one at the end. */
  counts: number[];
  sumMs: number;
  byStatus: Map<string, number>;
}

/** What an operator watches, counted since the start, in Prometheus' text form. */
export class Metrics {
  readonly #routes = new Map<string, Route>();
  readonly #jobs = new Map<string, { at: number; failures: number }>();

  /** One answered request; routes are lines of the routing table, so their number is bounded. */
  request({ route, status, ms }: RequestLine): void {
    const entry = this.#routes.get(route) ?? { counts: Array<number>(bounds.length + 1).fill(0), sumMs: 0, byStatus: new Map() };
    this.#routes.set(route, entry);
    const index = bounds.findIndex((bound) => ms <= bound);
    const at = index === -1 ? bounds.length : index;
    entry.counts[at] = (entry.counts[at] ?? 0) + 1;
    entry.sumMs += ms;
    const kind = `${Math.floor(status / 100)}xx`;
    entry.byStatus.set(kind, (entry.byStatus.get(kind) ?? 0) + 1);
  }

  /** A job of the ticker has ended. */
  job(name: string, succeeded: boolean): void {
    const { at, failures } = this.#jobs.get(name) ?? { at: 0, failures: 0 };
    this.#jobs.set(name, succeeded ? { at: Date.now(), failures } : { at, failures: failures + 1 });
  }

  text(gauges: Gauge[]): string {
    const requests = [...this.#routes].flatMap(([route, { byStatus }]) =>
      [...byStatus].map(([status, count]) => `tidings_requests_total{route="${route}",status="${status}"} ${count}`),
    );
    const jobs = [...this.#jobs].flatMap(([name, { at, failures }]) => [
      `tidings_job_last_success_timestamp_seconds{job="${name}"} ${at / 1_000}`,
      `tidings_job_failures_total{job="${name}"} ${failures}`,
    ]);
    const values = gauges.flatMap(({ name, labels, value }) => {
      const [label] = Object.entries(labels ?? {}).map(([key, text]) => `{${key}="${text}"}`);
      return value === null ? [] : [`tidings_${name}${label ?? ""} ${value}`];
    });
    return `${[...requests, ...this.#histogram(), ...jobs, ...values].join("\n")}\n`;
  }

  #histogram(): string[] {
    return [...this.#routes].flatMap(([route, { counts, sumMs }]) => {
      let seen = 0;
      const buckets = counts.map((count, index) => {
        seen += count;
        const bound = bounds[index] === undefined ? "+Inf" : String(bounds[index] / 1_000);
        return `tidings_request_seconds_bucket{route="${route}",le="${bound}"} ${seen}`;
      });
      return [
        ...buckets,
        `tidings_request_seconds_sum{route="${route}"} ${sumMs / 1_000}`,
        `tidings_request_seconds_count{route="${route}"} ${seen}`,
      ];
    });
  }
}

/** Values that the database knows; null while it does not answer. */
export async function databaseGauges(sql: Sql): Promise<Gauge[]> {
  const [row] = await sql<{ lag: number; due: number; discarded: number; connections: number }[]>`
    select coalesce(extract(epoch from max(now() - publish_at)), 0)::float8 as lag, count(*)::int as due,
      (select count(*)::int from private.discarded_files) as discarded,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections
    from public.posts where status = 'scheduled' and publish_at <= now()
  `.catch(() => []);
  return [
    { name: "publish_lag_seconds", help: "How long the most overdue scheduled post has waited.", value: row?.lag ?? null },
    { name: "due_posts", help: "Scheduled posts that are due and not yet published.", value: row?.due ?? null },
    { name: "discarded_files", help: "Files that wait to be removed.", value: row?.discarded ?? null },
    { name: "database_connections", help: "Connections of clients to the database.", value: row?.connections ?? null },
    { name: "database_up", help: "Whether the database answers.", value: row ? 1 : 0 },
  ];
}

/** GET /metrics, on this machine only, whatever the gateway listens on. `text` makes the answer. */
export function createMetricsServer(port: number, text: () => Promise<string>): Part {
  let server: Deno.HttpServer | null = null;
  const answer = async (request: Request): Promise<Response> => {
    if (new URL(request.url).pathname !== "/metrics") return new Response(null, { status: 404 });
    return new Response(await text(), { headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" } });
  };
  return {
    name: "metrics",
    open: () =>
      void (server = listening("METRICS_PORT", port, () => Deno.serve({ hostname: "127.0.0.1", port, onListen: () => {} }, answer))),
    stop: () => void server?.shutdown(),
  };
}
