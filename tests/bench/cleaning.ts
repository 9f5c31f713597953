/**
 * Whether the time for cleaning hostile text grows with its length, not with its square. Run: node tests/bench/cleaning.ts. Ends with 1 when
 * the limit is missed.
 */
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { cleanInline, inlineText, publishedInline } from "#contract/blocks/inline-html.ts";
import { blocksFromMarkdown, MarkdownProblem } from "#contract/blocks/from-markdown.ts";
import { inlineToMarkdown } from "#contract/blocks/inline-to-markdown.ts";
import { inlineToWholeMarkdown } from "#contract/blocks/inline-to-whole-markdown.ts";
import { giveIds } from "#contract/blocks/give-ids.ts";
import { blockLimits } from "#contract/blocks/limits.ts";
import { escapeHtml } from "#contract/blocks/text.ts";
import { blocksToMarkdown } from "#contract/blocks/to-markdown.ts";
import { hostileMarkdown, hostileParts } from "../support/hostile-parts.ts";
import { inPairs, Report } from "./report.ts";

/** As long as a block may be, and sixteen times that. */
const [short, long] = [blockLimits.blockLength, 16 * blockLimits.blockLength];

const works: Record<string, (text: string) => unknown> = {
  "cleaning it": cleanInline,
  "showing it": (text) => escapeHtml(publishedInline(cleanInline(text))),
  "reading its words": (text) => inlineText(cleanInline(text)),
  "writing it as Markdown": (text) => inlineToMarkdown(cleanInline(text)),
  "writing it as Markdown that reads back": (text) => inlineToWholeMarkdown(cleanInline(text)),
  "writing it as code in Markdown": (text) => blocksToMarkdown(cleanBlocks([{ type: "code", data: { code: text } }])),
};

/** Milliseconds of processor time that a work takes for a text made of a part: what else the machine does is not counted. */
function taken(work: (text: string) => unknown, part: string, length: number): number {
  const text = part.repeat(Math.ceil(length / part.length)).slice(0, length);
  const before = process.cpuUsage();
  work(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const report = new Report();
for (const [name, work] of Object.entries(works)) {
  const total = (length: number): number => hostileParts.reduce((sum, part) => sum + taken(work, part, length), 0);
  total(short); // warm
  // linear: 16, quadratic: 256
  report.judge(`${name}: hostile text of 16 times the length takes`, total(long) / total(short), "at most", 64, "×");
}
/** Below the bounds at which a text is refused unread. */
const [few, many] = [6_000, 96_000];
const reading = (text: string): void => {
  try {
    blocksFromMarkdown(text);
  } catch (error) {
    if (!(error instanceof MarkdownProblem)) throw error;
  }
};
const readingTakes = (length: number): number => hostileMarkdown.reduce((sum, part) => sum + taken(reading, part, length), 0);
readingTakes(few); // warm
report.judge("reading hostile Markdown of 16 times the length takes", readingTakes(many) / readingTakes(few), "at most", 64, "×");

/** A thousand blocks without ids that are all alike cost what a thousand others cost: the first look of each is its only one. */
const blocksOf = (textOf: (place: number) => string) =>
  cleanBlocks(
    Array.from({ length: blockLimits.blocks }, (_, place) => ({ type: "paragraph", data: { text: textOf(place).padEnd(290, "x") } })),
  );
const idsTake = (textOf: (place: number) => string): number => {
  const content = blocksOf(textOf);
  const before = process.cpuUsage();
  giveIds(content);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};
const [alike, different]: number[][] = [[], []];
for (let run = -5; run < 25; run++) {
  const [one, other] = [idsTake(() => "alike"), idsTake(String)];
  if (run < 0) continue; // warms up
  alike!.push(one);
  different!.push(other);
}
const ids = inPairs(alike!, different!, "ms", "blocks that differ");
report.compare("ids for as many blocks as there may be, all alike", ids, "at most", 1.4);

const cleaned = works["writing it as Markdown"]!;
/** One plain pass over the text: each character looked at and the text written anew. */
const plainPass = (text: string): string => {
  let written = "";
  for (const character of text) written += plainly[character] ?? character;
  return written;
};
const plainly: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const costs = hostileParts.map((part) => {
  const times = { ours: [] as number[], plain: [] as number[] };
  for (let run = 0; run < 15; run++) {
    times.ours.push(taken(cleaned, part, short));
    times.plain.push(taken(plainPass, part, short));
  }
  return inPairs(times.ours, times.plain, "ms", "one plain pass");
});
const worst = costs.toSorted((a, b) => b.ratio! - a.ratio!)[0]!;
// 8 ms where the plain pass takes 0.45
report.compare("the most costly block that there may be, cleaned and written as Markdown", worst, "at most", 26);
report.end();
