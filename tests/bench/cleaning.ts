/**
 * Whether the time for cleaning hostile text grows with its length, not with its square. Run: node tests/bench/cleaning.ts. Ends with 1 when
 * the limit is missed.
 */
import { cleanInline } from "#contract/blocks/inline-html.ts";
import { Report } from "./report.ts";

const hostile = [
  "<",
  "<a ",
  "<a href='",
  '<a x=" ',
  "<!--",
  "<b>",
  "<script>",
  "&#",
  "<a " + "x ".repeat(1_000) + ">",
  "<br ".padEnd(9_000) + ">",
];

/** Milliseconds for `length` characters of each. */
function cleaning(length: number): number {
  const started = performance.now();
  for (const part of hostile) cleanInline(part.repeat(Math.ceil(length / part.length)));
  return performance.now() - started;
}

cleaning(100_000); // warm
const report = new Report();
report.judge("hostile text of 16 times the length takes", cleaning(1_600_000) / cleaning(100_000), "at most", 64, "×"); // linear: 16, quadratic: 256
report.end();
