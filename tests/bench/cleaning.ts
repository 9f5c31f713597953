/**
 * Whether the time for cleaning hostile text grows with its length, not with its square. Run: node tests/bench/cleaning.ts. Ends with 1 when
 * the limit is missed.
 */
import { cleanInline } from "#contract/blocks/inline-html.ts";
import { inlineToMarkdown } from "#contract/blocks/inline-to-markdown.ts";
import { blockLimits } from "#contract/blocks/limits.ts";
import { hostileParts } from "../support/hostile-parts.ts";
import { median, Report } from "./report.ts";

/** As long as a block may be, and sixteen times that. */
const [short, long] = [blockLimits.blockLength, 16 * blockLimits.blockLength];

/** Milliseconds for a text made of a part. */
function cleaning(part: string, length: number): number {
  const text = part.repeat(Math.ceil(length / part.length)).slice(0, length);
  const started = performance.now();
  inlineToMarkdown(cleanInline(text));
  return performance.now() - started;
}

const total = (length: number): number => hostileParts.reduce((sum, part) => sum + cleaning(part, length), 0);
total(short); // warm
const report = new Report();
report.judge("hostile text of 16 times the length takes", total(long) / total(short), "at most", 64, "×"); // linear: 16, quadratic: 256
const slowest = Math.max(...hostileParts.map((part) => median(Array.from({ length: 5 }, () => cleaning(part, short)))));
report.judge("the most costly block that there may be, cleaned and written as Markdown", slowest, "at most", 30, "ms");
report.end();
