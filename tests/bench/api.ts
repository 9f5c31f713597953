/**
 * How fast /api and the presence socket are, in one run, each against its limit. Usage: node tests/bench/api.ts [seconds]
 * Ends with 1 when a figure misses its limit.
 */
import { startStack } from "../support/stack.ts";
import { measureOverhead, measureSaves } from "./api/calls.ts";
import { makeBenchPlace } from "./api/people.ts";
import { measureEditing, measureSockets } from "./api/presence.ts";
import { Report } from "./report.ts";

const seconds = Number(process.argv[2] ?? 5);
const report = new Report();

const stack = await startStack({ env: { RATE_LIMIT_SCALE: "100000" } });
try {
  const place = await makeBenchPlace(stack, 500, 50);
  await measureSaves(stack, place, 20, 4); // warms caches and compilers
  for (const [call, { api, direct }] of Object.entries(await measureOverhead(stack, place, 60 * seconds))) {
    report.judge(`${call}: ${api.toFixed(2)} ms through the function, ${direct.toFixed(2)} ms directly`, api / direct, "at most", 1.5, "×");
  }
  report.judge(
    "version-checked saves, one after the other",
    (await measureSaves(stack, place, 1, seconds)).perSecond,
    "at least",
    150,
    "/s",
  );
  const { perSecond, p99 } = await measureSaves(stack, place, 20, seconds);
  report.judge("version-checked saves, 20 callers", perSecond, "at least", 300, "/s");
  report.judge("p99 of those", p99, "at most", 120, "ms");
  const { p50, p95 } = await measureEditing(stack, place, 100);
  report.judge(`50 people: editing seen by everybody, p95 (p50 ${p50.toFixed(1)} ms)`, p95, "at most", 100, "ms");
  report.judge("memory of the presence function with 500 sockets", await measureSockets(stack, place), "at most", 300, "MB");
} finally {
  await stack.stop();
}
report.end();
