import { collectDefaultMetrics, Counter, Gauge as PrometheusGauge, Histogram, Registry } from "prom-client";
import { version } from "#contract/version.ts";
import type { Gauge } from "../engine/parts.ts";
import type { RequestLine } from "../gateway/request-log.ts";

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]; // seconds

export class Metrics {
  readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  readonly #counted = new Registry();
  readonly #build = new PrometheusGauge({
    name: "tidings_build_info",
    help: "Which version runs.",
    labelNames: ["version"],
    registers: [this.#counted],
  });
  readonly #requests = new Counter({
    name: "tidings_requests_total",
    help: "Requests answered.",
    labelNames: ["route", "status"],
    registers: [this.#counted],
  });
  readonly #seconds = new Histogram({
    name: "tidings_request_seconds",
    help: "How long requests took.",
    labelNames: ["route"],
    buckets,
    registers: [this.#counted],
  });
  readonly #jobSuccess = new PrometheusGauge({
    name: "tidings_job_last_success_timestamp_seconds",
    help: "When a job last succeeded; 0 before it has.",
    labelNames: ["job"],
    registers: [this.#counted],
  });
  readonly #jobFailures = new Counter({
    name: "tidings_job_failures_total",
    help: "Runs of a job that failed.",
    labelNames: ["job"],
    registers: [this.#counted],
  });

  constructor() {
    collectDefaultMetrics({ register: this.#counted });
    this.#build.set({ version }, 1);
  }

  request({ route, status, ms }: RequestLine): void {
    this.#requests.inc({ route, status: `${Math.floor(status / 100)}xx` });
    this.#seconds.observe({ route }, ms / 1_000);
  }

  job(job: string, succeeded: boolean): void {
    if (succeeded) this.#jobSuccess.setToCurrentTime({ job });
    else this.#jobSuccess.inc({ job }, 0);
    this.#jobFailures.inc({ job }, succeeded ? 0 : 1);
  }

  async text(gauges: Gauge[]): Promise<string> {
    const registry = new Registry();
    const metrics = new Map<string, PrometheusGauge>();
    for (const { name, help, value, labels = {} } of gauges) {
      if (value === null) continue;
      const options = { name: `tidings_${name}`, help, labelNames: Object.keys(labels), registers: [registry] };
      const gauge = metrics.get(name) ?? new PrometheusGauge(options);
      metrics.set(name, gauge);
      gauge.set(labels, value);
    }
    return (await this.#counted.metrics()) + (await registry.metrics());
  }
}
