/**
 * How fast /api and the presence socket are, in one run, each against its limit. Usage: node tests/bench/api.ts [seconds]
 * Ends with 1 when a figure misses its limit.
 */
import { startStack } from "../support/stack.ts";
import { measureOverhead, measureSaves } from "./api/calls.ts";
import { makeBenchPlace } from "./api/people.ts";
import { measureEditing, measureSockets } from "./api/presence.ts";

const seconds = Number(process.argv[2] ?? 5);
const table: { figure: string; measured: string; limit: string; ratio: string; verdict: string }[] = [];

function judge(figure: string, measured: number, limit: number, kind: "at most" | "at least", unit: string): void {
  const ratio = kind === "at most" ? measured / limit : limit / measured;
  if (!(ratio <= 1)) process.exitCode = 1;
  const verdict = ratio <= 1 ? "ok" : "MISSED";
  table.push({ figure, measured: `${measured.toFixed(2)} ${unit}`, limit: `${kind} ${limit} ${unit}`, ratio: ratio.toFixed(2), verdict });
}

const stack = await startStack({ env: { RATE_LIMIT_SCALE: "100000" } });
try {
  const place = await makeBenchPlace(stack, 500, 50);
  await measureSaves(stack, place, 20, 1); // warm
  for (const [call, { api, direct }] of Object.entries(await measureOverhead(stack, place, 60 * seconds))) {
    judge(`${call}: ${api.toFixed(2)} ms through the function, ${direct.toFixed(2)} ms directly`, api / direct, 1.5, "at most", "×");
  }
  judge("version-checked saves, one after the other", (await measureSaves(stack, place, 1, seconds)).perSecond, 150, "at least", "/s");
  const { perSecond, p99 } = await measureSaves(stack, place, 20, seconds);
  judge("version-checked saves, 20 callers", perSecond, 300, "at least", "/s");
  judge("p99 of those", p99, 120, "at most", "ms");
  const { p50, p95 } = await measureEditing(stack, place, 100);
  judge(`50 people: editing seen by everybody, p95 (p50 ${p50.toFixed(1)} ms)`, p95, 100, "at most", "ms");
  judge("memory of the presence function with 500 sockets", await measureSockets(stack, place), 300, "at most", "MB");
} finally {
  await stack.stop();
}
console.table(table);
