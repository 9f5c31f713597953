/** Speed of /api and the presence socket, interleaved with the plainest program for the same on the same Postgres (plain/program.ts). */
import { presenceTellGapMs } from "#contract/presence.ts";
import { startStack } from "../support/stack.ts";
import { compareSaves, measureOverhead, saves, throughPlainProgram, throughProduct } from "./api/calls.ts";
import { makeBenchPlace } from "./api/people.ts";
import { compareEditing, compareMoving, measureSockets } from "./api/presence.ts";
import { startPlain } from "./plain/start.ts";
import { Report } from "./report.ts";

const rounds = Number(process.argv[2] ?? 5);
const limits = {
  /** A save passes gateway, function, PostgREST's replacement, policies and triggers: about 12 times the plain program's CPU time. */
  alone: 0.07,
  /** On two busy cores callers compete for CPU: about 17 times. */
  together: 0.05,
  p99: 8,
  /** 100 ms, where the plain room took 8: the message passes two rooms, Realtime's and the function's. */
  editing: 12,
  /** Moves are throttled to every tenth of a second, so the reference is a plain room with the same throttle. */
  moving: 1.5,
};
const report = new Report();

const stack = await startStack({ env: { TIDINGS_RATE_LIMIT_SCALE: "100000" } });
const place = await makeBenchPlace(stack, 500, 50);
const plain = await startPlain(stack, place.postIds);
try {
  const [ours, theirs] = [throughProduct(stack, place), throughPlainProgram(stack, plain)];
  for (const saver of [ours, theirs]) await saves(saver, place, 20, 4_000);
  for (const [call, pair] of Object.entries(await measureOverhead(stack, place, 60 * rounds)))
    report.compare(`${call}, through the function`, pair, "at most", 1.5);
  const alone = await compareSaves(ours, theirs, place, 1, rounds);
  report.compare("version-checked saves, one after the other", alone.perSecond, "at least", limits.alone);
  report.tellRatio("processor time of one of those", alone.work);
  const many = await compareSaves(ours, theirs, place, 20, rounds);
  report.compare("version-checked saves, 20 callers", many.perSecond, "at least", limits.together);
  report.tellRatio("processor time of one of those of 20 callers", many.work);
  report.compare("p99 of those", many.p99, "at most", limits.p99);
  const { ours: seen, theirs: echoed } = await compareEditing(stack, plain, place, 20 * rounds);
  report.compare(
    "50 people: editing seen by all, p95",
    { measured: seen.p95, reference: echoed.p95, unit: "ms", against: "plain room" },
    "at most",
    limits.editing,
    `p50 ${seen.p50.toFixed(1)} ms`,
  );
  const { ours: moved, theirs: told, updates } = await compareMoving(stack, plain, place, 4 * rounds);
  report.compare(
    "20 people moving: a position seen by all, p95",
    { measured: moved.p95, reference: told.p95 + presenceTellGapMs, unit: "ms", against: "plain room that tells every tenth of a second" },
    "at most",
    limits.moving,
    `p50 ${moved.p50.toFixed(1)} ms`,
  );
  report.judge("updates that each of them hears, places of 19 others in one", updates, "at most", 12, "/s");
  report.judge("memory of the presence function with 500 sockets", await measureSockets(stack, place), "at most", 300, "MB");
} finally {
  plain.stop();
  await stack.stop();
}
report.end();
