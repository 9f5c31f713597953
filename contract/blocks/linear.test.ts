import { expect, test } from "vitest";
import { hostileParts } from "../../tests/support/hostile-parts.ts";
import { cleanInline, publishedInline } from "./inline-html.ts";
import { inlineToWholeMarkdown } from "./inline-to-whole-markdown.ts";
import { escapeHtml } from "./text.ts";

/** The cost of reading a hostile text grows with its length, not with its square. */
const works: [string, (text: string) => unknown][] = [
  ["cleaning it", cleanInline],
  ["showing it", (text) => escapeHtml(publishedInline(cleanInline(text)))],
  ["writing it as Markdown that reads back", (text) => inlineToWholeMarkdown(cleanInline(text))],
];

const length = 1_000;
/** A long text is as long as so many short ones: where it takes as long, the work is linear; where so many times as long, it is quadratic. */
const times = 100;
const limit = 20;

const repeated = (part: string, characters: number) => part.repeat(Math.ceil(characters / part.length)).slice(0, characters);

/** Milliseconds of processor time; what else the machine does is not counted. */
function taken(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** How many times as long as the short ones a long text takes; never much less than a millisecond is compared. */
function growth(work: (text: string) => unknown, part: string): number {
  const [short, long] = [repeated(part, length), repeated(part, length * times)];
  const apart = taken(() => {
    for (let run = 0; run < times; run++) work(short);
  });
  return taken(() => void work(long)) / Math.max(apart, 1);
}

test.each(works)("%s takes a hostile text's length, not its square", (_, work) => {
  for (const part of hostileParts) {
    let least = Infinity;
    for (let look = 0; look < 3 && least > limit; look++) least = Math.min(least, growth(work, part)); // memory may be cleared up meanwhile
    expect(least, part.slice(0, 20)).toBeLessThan(limit);
  }
});
