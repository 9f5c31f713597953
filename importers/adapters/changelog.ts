import { shorten } from "#contract/blocks/excerpt.ts";
import { dateIn, type DateOrder, isoDate, momentOfMonth, orderOf, wordsOfDate } from "../dates.ts";
import { type Adapter, type ImportEntry, ImportProblem, type ReadSource, type SourceFile } from "../entry.ts";
import { finished, notTooMany } from "../finish.ts";
import { frontMatterOf } from "../markdown/front-matter.ts";
import { countLeftOut } from "../left-out.ts";
import { importMaxEntries } from "#contract/limits.ts";
import { type Heading, type Outline, outlineOf, plainWords, textOfLines, withDefinitions } from "../markdown/lines.ts";
import { markdownFromRst } from "../markdown/rst.ts";
import { isSection, sectionTags } from "../markdown/sections.ts";
import { baseName, beginning, called, readText } from "../files/text.ts";

interface Release {
  kind: "version" | "day" | "month" | "unreleased";
  name: string;
  title: string;
  /** ISO 8601; as written if ambiguous; null without one. */
  date: string | null;
  yanked: boolean;
  /** Line below with the date and tags, unless the heading has the date. */
  below?: { line: number; tags: string[] };
  /** Only a version or date, so it isn't a sentence that starts with a number. */
  isSure: boolean;
}

const headingMaxLength = 300;
/** Ten headings per importable post. */
const mostHeadings = importMaxEntries * 10;
const version =
  /^(?:(?:(?:(?:current|latest|previous) )?(?:version|release)|ver|rel|changes (?:in|for)|what.?s new in)\b[.:]?\s*)?(?:@?[\w./-]{1,100}@)?(v\.?\s?)?(\d+(?:\.\d+){1,3}(?:(?:[-+.]|(?=[a-z]))[\dA-Za-z][\dA-Za-z.+-]*)?|\d+)(?=$|[\s:,()[\]/–—\0-])/i;
const packageName = /^@?[A-Za-z][\w./-]{0,60}[ @]+(?=v?\d+\.\d+)/;
const unreleased =
  /^(?:unreleased|upcoming|next(?: release| version)?|head|master|main|develop(?:ment)?|trunk|in progress|to be released|tbd|tba)\b(?! \w+ \w+)/i;
const notYet = /^(?:unreleased|not (?:yet )?released|tbd|tba|upcoming|in progress|x{4}-x{2}-x{2}|[?]{2,})$/i;
const edge = /^[\s:,;()[\]/–—·|\0-]+|[\s:,;()[\]/–—·|\0-]+$/g;
const released = /^(?:released?(?: date)?|date|published)?(?:\s+on)?\s*:?\s*$/i;

const remains = (around: string): string => {
  const parts = around.split("\0").map((part) => part.replace(/[([{]\s*$|^\s*[)\]}]/g, "").replace(edge, ""));
  return parts.filter((part) => part !== "" && !released.test(part)).join(" – ");
};

const mayBegin = /\d|unreleased|upcoming|next|head|master|main|develop|trunk|progress|to be released|tbd|tba/i;

function releaseOf(given: string, order: DateOrder | null = null): Release | null {
  if (given.length > headingMaxLength * 4 || !mayBegin.test(given)) return null;
  const plain = plainWords(given).replace(/:[a-z_\d+-]+:/g, " ");
  const yanked = /\[?\byanked\b\]?/i.test(plain);
  const line = plain
    .replace(/\[?\byanked\b\]?/gi, " ")
    .replace(/^[^\p{L}\p{N}@[(]+/u, "")
    .replace(/[[\]]/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/(?<=\d) release notes?$|(?<=\.\d+)\.$/i, "");
  if (line === "" || line.length > headingMaxLength) return null;
  if (unreleased.test(line)) return { kind: "unreleased", name: line, title: line, date: null, yanked, isSure: true };

  const inMonth = momentOfMonth(line);
  if (inMonth !== null) {
    const date = new Date(inMonth).toISOString();
    return { kind: "month", name: date.slice(0, 7), title: line, date, yanked, isSure: true };
  }
  const lineDate = dateIn(line, order);
  const isDay = lineDate !== null && lineDate.around.startsWith("\0") && !/^v/i.test(line);
  const [owner = ""] = packageName.exec(line) ?? [];
  const isWord = /^(?:version|release|ver|rel|v)\b/i.test(owner);
  const withoutName = isWord ? line : line.slice(owner.length);
  const match = isDay ? null : version.exec(withoutName);
  if (match !== null) {
    const [whole, , number = ""] = match;
    const rest = withoutName.slice(whole.length);
    const day = dateIn(rest, order);
    const left = day === null ? rest.replace(edge, "") : remains(day.around);
    const words = notYet.test(left) ? "" : left;
    const isBare = !number.includes("."); // `5 things`
    const isSure = words === "" || day !== null || /^\s*(?::|[–—-]\s)/.test(rest);
    if (isBare && !isSure) return null;
    const shown = (line === withoutName ? whole : line.slice(0, line.length - rest.length)).trim().replace(/^(?:ver|rel)\b\.?\s*/i, "");
    const title = words === "" ? shown : `${shown} – ${words}`;
    const name = isWord || owner === "" ? number : `${owner.replace(/[\s@]+$/, "")}@${number}`;
    return { kind: "version", name, title, date: notYet.test(left) ? null : (day?.date ?? null), yanked, isSure };
  }
  if (lineDate === null) return null;
  const words = remains(lineDate.around);
  // A date inside a sentence isn't the release's; one at either end of a title is.
  const [before = "", after = ""] = lineDate.around.split("\0");
  const isAtEdge = words === "" || before.trim() === "" || (after.replace(edge, "") === "" && /[-–—(:,/|]\s*$/.test(before));
  if (!isAtEdge) return null;
  const day = lineDate.date.slice(0, 10);
  return { kind: "day", name: words === "" ? day : `${day} ${words}`, title: words || line, date: lineDate.date, yanked, isSure: true };
}

/** Keep a Changelog and our own export: the brackets hold the title. */
const titledDay = /^\[((?:[^[\]\\]|\\.)+)\](?:\([^()\s]*\)|\[[^[\]]*\])? - (\d{4}-\d{2}-\d{2})$/;

function titledRelease(given: string, order: DateOrder | null): Release | null {
  const release = releaseOf(given, order);
  const [, label = "", day = ""] = titledDay.exec(given.trim()) ?? [];
  const title = plainWords(label);
  if (title === "" || title.length > headingMaxLength || release?.kind === "unreleased" || release?.yanked) return release;
  if (release?.kind === "version" && release.name.includes(".")) return { ...release, title };
  return { kind: "day", name: `${day} ${title}`, title, date: day, yanked: false, isSure: true };
}

type Found = Heading & { release: Release };

/** Titles with date and tags on the line below: `_31 January 2026 · news_`. Uses the most frequent heading level. */
function datedBelow({ lines, headings }: Outline, order: DateOrder | null): Found[] {
  const titles = headings.flatMap((heading): Found[] => {
    const at = [heading.end, heading.end + 1].find((line) => (lines[line] ?? "").trim() !== "");
    const text = at === undefined ? "" : lines[at]!;
    if (at === undefined || heading.level > 3 || text.length > 200 || !/\d{4}/.test(text)) return [];
    const day = dateIn(plainWords(text), order);
    const [, behind = ""] = /^\0(?:\s*[·•|](.*))?$/.exec(day?.around ?? "") ?? [];
    const date = isoDate(day?.date);
    const title = plainWords(heading.text).slice(0, headingMaxLength);
    if (day === null || date === null || title === "" || !/^\0(?:\s*[·•|]|$)/.test(day.around)) return [];
    const tags = behind.split(/[·•|]/).map((tag) => tag.trim());
    const release: Release = {
      kind: "day",
      name: `${date.slice(0, 10)} ${title}`,
      title,
      date,
      yanked: false,
      isSure: true,
      below: { line: at, tags },
    };
    return [{ ...heading, release }];
  });
  const counts = [1, 2, 3].map((level) => titles.filter((one) => one.level === level));
  return counts.reduce((most, one) => (one.length > most.length ? one : most));
}

/** `acme@1.2.0` */
const isNamed = ({ release }: Found): boolean => release.kind === "version" && release.name.includes("@");

/** Headings of releases, without a few versions of other products in their sections: `V8 13.6`. */
function candidatesIn({ headings }: Outline, order: DateOrder | null): Found[] {
  const all = headings.flatMap((heading): Found[] => {
    const release = heading.level > 4 ? null : titledRelease(heading.text, order);
    return release === null ? [] : [{ ...heading, release }];
  });
  const own = all.filter((one) => one.release.isSure && !isNamed(one));
  const top = Math.min(...new Set(own.map(({ level }) => level)));
  const areMentions = all.filter(isNamed).length < own.length;
  return all.filter((one) => !(areMentions && isNamed(one) && one.level > top));
}

/** Release headings: by version if any has one, else by day, else by month. */
function releasesIn(outline: Outline, order: DateOrder | null): Found[] {
  const candidates = candidatesIn(outline, order);
  const kinds = ["version", "day", "month"] as const;
  const sure = candidates.filter(({ release }) => release.isSure);
  const kind = kinds.find((one) => sure.some(({ release }) => release.kind === one));
  const dated = datedBelow(outline, order);
  if (kind === undefined) return dated;
  const levels = new Set(sure.filter(({ release }) => release.kind === kind).map(({ level }) => level));
  const chosen = candidates.filter(({ release, level }) => {
    if (release.kind === kind && release.isSure) return true;
    // Other headings count on the same levels, such as a date among versions.
    return levels.has(level) && (release.kind !== "month" || kind === "month");
  });
  return dated.length > chosen.length ? dated : chosen;
}

function outlineWithReleases(text: string) {
  const outline = outlineOf(text);
  if (outline === null || outline.headings.length > mostHeadings) return null;
  const order = dateOrderOf(outline);
  return { outline, order, releases: releasesIn(outline, order) };
}

/** Without headings for releases, paragraphs that start with a version and a date have them: `**1.2.0 / 2026-01-31**`. */
function logOf(text: string): ReturnType<typeof outlineWithReleases> {
  const log = outlineWithReleases(text);
  if (log === null || log.releases.length > 0) return log;
  const titled = text.replace(/(?<=^|\n[ \t]*\n)(?:\*\*|__)?\[?v?\d.*/gi, (line) => {
    const release = releaseOf(line, log.order);
    return release?.kind === "version" && release.isSure && release.date !== null ? `## ${line}` : line;
  });
  return titled === text ? log : outlineWithReleases(titled);
}

const generic = /^(?:the )?(?:change ?logs?|changes|history|release notes?|releases|news|all notable changes|version history)$/i;

/** The product's name: a linked repository, or the file's title; null if unknown. */
function subjectOf({ lines, headings, definitions }: Outline, first: number): string | null {
  const places = [...definitions.map(({ text }) => text), ...headings.slice(0, 200).map(({ text }) => text)];
  for (const place of places) {
    const [, repository] =
      /https?:\/\/(?:github|gitlab)\.com\/([\w.-]+\/[\w.-]+?)(?:\.git)?\/(?:-\/)?(?:compare|releases|tree|tags?)\b/i.exec(place) ?? [];
    if (repository !== undefined) return repository;
  }
  const [top] = headings;
  if (top === undefined || top.line >= first || lines[top.line] === undefined) return null;
  const words = plainWords(top.text)
    .replace(/\s*(?:[-–—:|]\s*)?(?:change ?log|changes|release notes|history)\b.*$/i, "")
    .replace(/^(?:(?:change ?log|changes|release notes|history)\s+(?:of|for)|what.?s new (?:in|at|with))\s+/i, "")
    .trim();
  return words === "" || generic.test(words) || words.length > 80 ? null : words;
}

const firstLineWithText = (lines: readonly string[]): number => lines.findIndex((one) => one.trim() !== "");

const plainBelow = (line: string): string => (line.length > 120 ? "" : plainWords(line.replace(/^#+|^>/, "")).replace(/^[[(]|[\])]$/g, ""));

function dateOrderOf({ lines, headings }: Outline): DateOrder | null {
  const dates = headings.flatMap(({ text, end }) => {
    const below = lines.slice(end, end + 3);
    const dateWords = wordsOfDate(plainWords(text)) ?? wordsOfDate(plainBelow(below[firstLineWithText(below)] ?? ""));
    return dateWords === null ? [] : [dateWords.words];
  });
  return orderOf(dates);
}

/** `isAlone`: nothing else is on the line, as in “Released 2026-01-31, codename Gull”. */
function dateBelow(body: readonly string[], order: DateOrder | null): { date: string; line: number; isAlone: boolean } | null {
  const line = firstLineWithText(body);
  const lineDate = dateIn(plainBelow(body[line] ?? ""), order);
  const date = isoDate(lineDate?.date);
  if (lineDate === null || date === null) return null;
  const isAlone = remains(lineDate.around) === "";
  return isAlone || /^released?(?: date| on)?\s*:?\s*\0/i.test(lineDate.around) ? { date, line, isAlone } : null;
}

function raised(lines: string[], start: number, headings: readonly Heading[]): void {
  const by = Math.min(...headings.map(({ level }) => level)) - 2;
  if (by === 0 || headings.length === 0) return;
  for (const { line, end, level, text } of headings) {
    lines[line - start] = `${"#".repeat(Math.max(level - by, 1))} ${text}`;
    for (let at = line + 1; at < end; at++) lines[at - start] = "";
  }
}

interface Part {
  bound: Found;
  inside: Heading[];
  end: number;
}

/**
 * Assigns sections to releases. Between releases, every heading is a section of the upper one. Behind the last release, a heading of its
 * level or higher ends it, unless other releases have sections of that level.
 */
function partsOf({ lines, headings }: Outline, candidates: readonly Found[]): { parts: Part[]; rest: Heading[] } {
  const hasText = (from: number, to: number): boolean => lines.slice(from, to).some((line) => line.trim() !== "");
  const sectionLevels = new Set<number>();
  const parts: Part[] = [];
  let at = 0;
  for (const [place, bound] of candidates.entries()) {
    const next = candidates[place + 1];
    let end = next?.line ?? lines.length;
    while (at < headings.length && headings[at]!.line <= bound.line) at++;
    const from = at;
    while (at < headings.length && headings[at]!.line < end) at++;
    const inside = headings.slice(from, at);
    // A heading directly above the next release and of a higher level groups the releases below.
    for (let last = inside.at(-1); next && last && last.level < next.level && !hasText(last.end, end); last = inside.at(-1)) {
      end = last.line;
      inside.pop();
    }
    if (next) for (const { level } of inside) if (level <= bound.level) sectionLevels.add(level);
    parts.push({ bound, inside, end });
  }
  const last = parts.at(-1);
  const isBeside = (heading: Heading): boolean => heading.level <= last!.bound.level;
  const cut = last?.inside.findIndex((one) => isBeside(one) && !isSection(one) && !sectionLevels.has(one.level)) ?? -1;
  if (last === undefined || cut === -1) return { parts, rest: [] };
  const behind = last.inside.splice(cut);
  last.end = behind[0]!.line;
  const rest = behind.filter(isBeside);
  return { parts, rest: rest.filter(({ end }, place) => hasText(end, rest[place + 1]?.line ?? lines.length)) };
}

function introductionOf({ lines, headings, definitions }: Outline, first: number): string {
  const above = lines.slice(0, first);
  for (const { line, end } of headings) above.fill("", line, end);
  for (const { line } of definitions) if (line < first) above[line] = "";
  return plainWords(above.join(" ").replace(/<!--.*?(?:-->|$)/g, "")).trim();
}

const onlyUnreleased = (file: SourceFile): string => `${called(file)} has no release yet: everything is “Unreleased”`;

const isRst = ({ name }: SourceFile, text: string): boolean =>
  /\.rst$/i.test(name) || (/\.txt$/i.test(name) && /^\.\. \S|:\w+:`[^`]/m.test(text));
const markdownOf = (file: SourceFile, text: string): string => (isRst(file, text) ? markdownFromRst(text) : frontMatterOf(text).text);

interface ReadFile {
  entries: ImportEntry[];
  notes: string[];
  name: string | null;
  sections: number;
  hasIntroduction: boolean;
}

function read(file: SourceFile): ReadFile {
  const { text, note } = readText(file);
  const log = logOf(markdownOf(file, text));
  if (log === null) throw new ImportProblem(`${called(file)} is too long for a changelog`);
  const { outline, order, releases: candidates } = log;
  const [first] = candidates;
  if (first === undefined) {
    if (outline.headings.some(({ text: heading }) => releaseOf(heading)?.kind === "unreleased"))
      throw new ImportProblem(onlyUnreleased(file));
    throw new ImportProblem(`${called(file)} has no heading with a version or date, such as “## 1.2.0 - 2026-01-31”`);
  }
  notTooMany(candidates.length);
  const { lines, definitions } = outline;
  const addresses = new Map(definitions.toReversed().map(({ label, text: line }) => [label, line]));
  const isDefinition = new Set(definitions.map(({ line }) => line));
  const subject = subjectOf(outline, first.line);
  const notes: string[] = note === null ? [] : [note];
  if (isRst(file, text)) notes.push("It is reStructuredText: directives other than callouts are removed or stay as text");
  const entries: ImportEntry[] = [];
  const { parts, rest } = partsOf(outline, candidates);
  const others = rest.map(({ text: words }) => plainWords(words).slice(0, 60));
  let sections = others.length;
  let months = 0;
  for (const [at, { bound, inside, end }] of parts.entries()) {
    const { release } = bound;
    const next = candidates[at + 1];
    const body = lines.slice(bound.end, end).map((line, index) => (isDefinition.has(bound.end + index) ? "" : line));
    const isEmpty = body.every((line) => line.trim() === "");
    if (release.kind === "unreleased") {
      if (isEmpty) continue;
      notes.push(`“${release.title.slice(0, 60)}” was skipped: it isn't released yet`);
      sections++;
      continue;
    }
    const isGroup = isEmpty && release.date === null && next !== undefined && next.level > bound.level;
    if (isGroup) continue;
    const below = release.date === null ? dateBelow(body, order) : null;
    const dateLine = below?.isAlone ? below.line : -1;
    const dateHeading = inside.find(({ line }) => line - bound.end === dateLine);
    if (dateLine !== -1) body[dateLine] = "";
    if (release.below !== undefined) body[release.below.line - bound.end] = "";
    const shown = inside.filter((one) => one !== dateHeading);
    raised(body, bound.end, shown);
    if (release.kind === "month") months++;
    entries.push({
      external_id: `changelog:${subject === null ? "" : `${subject}@`}${release.name}`,
      title: release.yanked ? `${release.title} (yanked)` : release.title,
      published_at: release.date ?? below?.date ?? null,
      status: "published",
      tags: [...sectionTags(inside), ...(release.below?.tags ?? [])],
      old_urls: [],
      content: { kind: "markdown", text: withDefinitions(textOfLines(body), addresses), site: true },
      notes: release.yanked ? ["This release was yanked, as its title says"] : [],
    });
  }
  if (months > 0) notes.push("The file has months, not days, so each post gets the first of its month");
  if (others.length > 0) {
    const examples = others.slice(0, 3).map((words) => `“${words}”`);
    notes.push(`Skipped, because they have no version or date: ${examples.join(", ")}${others.length > 3 ? " …" : ""}`);
  }
  const introduction = introductionOf(outline, first.line);
  if (introduction !== "") notes.push(`The text above the first release was skipped: “${shorten(introduction, 60)}”`);
  if (entries.length === 0) throw new ImportProblem(onlyUnreleased(file));
  return { entries, notes, name: subject, sections, hasIntroduction: introduction !== "" };
}

const isMarkdown = ({ name }: SourceFile): boolean => /\.(?:md|markdown|mdown|txt|rst)$/i.test(name) || !baseName(name).includes(".");
const title = String.raw`(?:change[-_ ]?log|changes|history|release[-_ ]?notes|releases|news)`;
const isCalledSo = ({ name }: SourceFile): boolean => new RegExp(`${title}|^v?\\d+(?:\\.\\d+)+\\.(?:rst|txt)$`, "i").test(baseName(name));
const isCalledOnlySo = ({ name }: SourceFile): boolean => new RegExp(`^${title}\\.\\w+$`, "i").test(baseName(name));

/** With front matter it's a post, or a site's page of all releases. */
function hasReleases(file: SourceFile): boolean {
  const text = beginning(file, 65_536);
  const isPage = frontMatterOf(text).facts.size > 0;
  if (isPage && !isCalledOnlySo(file)) return false;
  return (logOf(markdownOf(file, text))?.releases.length ?? 0) > (!isPage && isCalledSo(file) ? 0 : 1);
}

/** Keep a Changelog, and common variants. */
export const changelog: Adapter = {
  source: "changelog",
  recognizes(files) {
    if (files.length === 0 || !files.every(isMarkdown)) return 0;
    if (files.every(hasReleases)) return 2;
    const [file, more] = files;
    return more === undefined && isCalledSo(file!) && frontMatterOf(beginning(file!, 65_536)).facts.size === 0 ? 1 : 0;
  },
  read(files): ReadSource {
    if (files.length === 0) throw new ImportProblem("No file was chosen");
    const parts = files.map(read);
    const name = parts.map((part) => part.name).find((one) => one !== null) ?? null;
    return finished({
      source: "changelog",
      name,
      isNamed: parts.every((part) => part.name !== null),
      entries: parts.flatMap(({ entries }) => entries),
      notes: parts.flatMap(({ notes }) => notes),
      leftOut: [
        ...(parts.some(({ hasIntroduction }) => hasIntroduction) ? ["its introduction"] : []),
        ...countLeftOut(
          parts.reduce((sum, { sections: count }) => sum + count, 0),
          "section",
        ),
      ],
    });
  },
};
