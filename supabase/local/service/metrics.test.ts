import { expect, test, vi } from "vitest";
import type { Gauge } from "../engine/parts.ts";
import { version } from "#contract/version.ts";
import { Metrics } from "./metrics.ts";

const answered = (route: string, status: number, ms: number) => ({ id: "1", method: "GET", route, status, ms });

async function valuesOf(metrics: Metrics, gauges: Gauge[] = []): Promise<Map<string, number>> {
  const lines = (await metrics.text(gauges)).split("\n").filter((line) => line.startsWith("tidings_"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]));
}

test("requests are counted by route, status class and duration", async () => {
  const metrics = new Metrics();
  for (const [status, ms] of [
    [200, 4],
    [204, 30],
    [503, 20_000],
  ] as const)
    metrics.request(answered("/api/*", status, ms));
  const values = await valuesOf(metrics);
  expect(values.get('tidings_requests_total{route="/api/*",status="2xx"}')).toBe(2);
  expect(values.get('tidings_requests_total{route="/api/*",status="5xx"}')).toBe(1);
  const buckets = [...values].flatMap(([name, value]) => {
    const [, le] = /^tidings_request_seconds_bucket\{(?=.*route="\/api\/\*").*le="([^"]+)"/.exec(name) ?? [];
    return le ? [[le, value]] : [];
  });
  expect(buckets).toEqual([
    ["0.005", 1],
    ["0.01", 1],
    ["0.025", 1],
    ["0.05", 2],
    ["0.1", 2],
    ["0.25", 2],
    ["0.5", 2],
    ["1", 2],
    ["2.5", 2],
    ["10", 2],
    ["+Inf", 3],
  ]);
  expect(values.get('tidings_request_seconds_count{route="/api/*"}')).toBe(3);
  expect(values.get('tidings_request_seconds_sum{route="/api/*"}')).toBeCloseTo(20.034);
});

test("a job has both counters from its first run", async () => {
  vi.useFakeTimers({ now: 1_000_000 });
  const metrics = new Metrics();
  metrics.job("tidy_up", false);
  const success = 'tidings_job_last_success_timestamp_seconds{job="tidy_up"}';
  const failures = 'tidings_job_failures_total{job="tidy_up"}';
  const both = async () => [success, failures].map(async (name) => (await valuesOf(metrics)).get(name));
  expect(await Promise.all(await both())).toEqual([0, 1]);
  metrics.job("tidy_up", true);
  expect(await Promise.all(await both())).toEqual([1_000, 1]);
  metrics.job("tidy_up", false);
  expect(await Promise.all(await both())).toEqual([1_000, 2]);
  vi.useRealTimers();
});

test("gauges show current values and omit unknown ones", async () => {
  const metrics = new Metrics();
  const due = (value: number | null): Gauge => ({ name: "due_posts", help: "Posts that are due.", value });
  const up = (name: string): Gauge => ({ name: "function_up", help: "Whether it answers.", value: 1, labels: { function: name } });
  const build = [`tidings_build_info{version="${version}"}`, 1];
  expect([...(await valuesOf(metrics, [due(3), up("api"), up("releases")]))]).toEqual([
    build,
    ["tidings_due_posts", 3],
    ['tidings_function_up{function="api"}', 1],
    ['tidings_function_up{function="releases"}', 1],
  ]);
  expect([...(await valuesOf(metrics, [due(null), up("api")]))]).toEqual([build, ['tidings_function_up{function="api"}', 1]]);
});

test("every metric has a help text", async () => {
  const metrics = new Metrics();
  metrics.request(answered("/", 200, 1));
  const text = await metrics.text([]);
  for (const line of [
    "# HELP tidings_requests_total",
    "# TYPE tidings_requests_total counter",
    "# TYPE tidings_request_seconds histogram",
    "# HELP process_resident_memory_bytes",
  ])
    expect(text).toContain(line);
});
