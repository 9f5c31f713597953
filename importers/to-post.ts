import { audience } from "#contract/audience.ts";
import { namedType } from "#contract/blocks/block-types.ts";
import { boundsProblem } from "#contract/blocks/bounds.ts";
import { cleanBlocks, unlimited } from "#contract/blocks/clean.ts";
import { shorten } from "#contract/blocks/excerpt.ts";
import { blocksFromMarkdown, type Loss, MarkdownProblem } from "#contract/blocks/from-markdown.ts";
import { inlineText } from "#contract/blocks/inline-html.ts";
import { isEmpty } from "#contract/blocks/is-empty.ts";
import { blockLimits } from "#contract/blocks/limits.ts";
import { blockText } from "#contract/blocks/plain-text.ts";
import { asInt, asObject } from "#contract/blocks/read.ts";
import { safeImageUrl } from "#contract/blocks/safe-url.ts";
import type { Block } from "#contract/blocks/schema.ts";
import { cleanText, escapeHtml } from "#contract/blocks/text.ts";
import {
  altMaxLength,
  buttonTextMaxLength,
  componentMaxLength,
  editorFormatVersion,
  fullNameMaxLength,
  scheduleReachYears,
  summaryMaxLength,
  tagMaxLength,
  tagsPerPost,
  titleMaxLength,
  oldUrlsPerPost,
  requestsPerPost,
  versionMaxLength,
} from "#contract/limits.ts";
import { request } from "#contract/posts.ts";
import { noDetails, readDetails } from "#contract/rules/post-details.ts";
import { slug as slugOf } from "#contract/rules/slug.ts";
import { tagKey } from "#contract/rules/tag-key.ts";
import { momentOf } from "./dates.ts";
import { type EntryContent, type ImportEntry, ImportProblem, type PreparedPost } from "./entry.ts";
import { fileAt, type FileLinks } from "./markdown/file-links.ts";
import { externalIdOf, cleanLineOf } from "./external-id.ts";
import { fingerprintOf, fingerprintOfOurs, saysAnything } from "./fingerprint.ts";
import { htmlToMarkdown } from "./html/html-to-markdown.ts";
import { addressOfFile, imagesIn, isKept, pathOfFile } from "./images.ts";
import { lossesInWords } from "./losses.ts";
import { siteSyntaxLoss, withoutSiteSyntax } from "./markdown/site-syntax.ts";

export { fingerprintOf };

export interface PrepareOptions {
  now: Date;
  workspace?: string;
  links?: FileLinks;
}

type Post = PreparedPost["post"];

/** Never throws: a post over the limits gets a `problem`. */
export async function prepare(entry: ImportEntry, { now, workspace, links = new Map() }: PrepareOptions): Promise<PreparedPost> {
  const losses: string[] = [...entry.notes];
  const lose = (sentence: string): void => {
    if (!losses.includes(sentence)) losses.push(sentence);
  };
  const { content, siteSyntax } = plainContent(entry.content);
  if (siteSyntax.length > 0) lose(siteSyntaxLoss(siteSyntax));
  const { blocks: read, problem: unread } = blocksOf(content, links, lose);
  const { title, before } = titleOf(entry.title, read, lose);
  const blocks = [...before, ...read];
  const isWordless = unread === null && isEmpty({ time: 0, blocks, version: editorFormatVersion });
  const plannedTiming = timingOf(entry, now, lose);
  const timing = isWordless && isGoingOut(plannedTiming) ? asDraft("It has no text", lose) : plannedTiming;
  const problem = unread ?? boundsProblem(blocks);
  const cover_image = coverOf(entry, lose);
  const own = links.get(fileAt("", baseOf(entry.content)) ?? "");
  const former = await fingerprintOf(entry);
  const post: Post = {
    external_id: await externalIdOf(entry.external_id),
    fingerprint: former,
    title,
    summary: cutTo(entry.summary, summaryMaxLength, "Its summary", lose),
    blocks: problem === null ? blocks : [],
    tags: tagsOf(entry.isOurs === true ? entry.tags : entry.tags.filter(isTag), lose),
    slug: slugFor(entry.slug),
    ...(cover_image === null ? {} : { cover_image }),
    ...detailsOf(entry, lose),
    ...timing,
    author: cutTo(entry.author, fullNameMaxLength, "Its author’s name", lose),
    ...requestsOf(entry),
    old_urls: oldUrlsOf([...(own === undefined ? [] : [own]), ...entry.old_urls], lose),
  };
  const images = imagesIn(problem === null ? blocks : [], cover_image).filter((url) => !isKept(url, workspace));
  const why = problem === null && !isWordless ? whyUndated(entry) : null;
  const prepared = {
    post,
    losses,
    images,
    problem,
    ...(siteSyntax.length === 0 ? {} : { siteSyntax }),
    ...(why === null ? {} : { undated: draftSentence(why) }),
  };
  if (entry.isOurs !== true || problem !== null) return prepared;
  post.fingerprint = await fingerprintOfOurs(entry, post, [...before, ...read]);
  return { ...prepared, formerFingerprint: former };
}

const isSchemed = (address: string): boolean => /^[a-z][a-z\d+.-]*:/i.test(address);

function resolving(base: string, links: FileLinks = new Map()): (address: string, isPicture: boolean) => string | null {
  return (address, isPicture) => {
    const href = address.trim();
    if (isPicture && pathOfFile(base) !== null && href.startsWith("/storage/v1/object/public/")) return href;
    if (href.startsWith("#") && !isPicture) return null;
    if (!isSchemed(href) && !URL.canParse(href, base)) return null;
    const resolved = isSchemed(href) ? href : new URL(href, base).href;
    // GitHub's file page isn't the image itself.
    const whole = isPicture ? resolved.replace(/^(https:\/\/github\.com\/[^/]+\/[^/]+\/)blob\//, "$1raw/") : resolved;
    if (isPicture || pathOfFile(whole) === null) return whole;
    const to = links.get(fileAt(whole, base) ?? "");
    return to === undefined ? null : to + new URL(whole).hash;
  };
}

const baseOf = (content: EntryContent): string =>
  content.kind !== "blocks" && content.base !== undefined && URL.canParse(content.base) ? content.base : addressOfFile("");

function plainContent(content: EntryContent): { content: EntryContent; siteSyntax: readonly string[] } {
  if (content.kind !== "markdown" || content.site !== true) return { content, siteSyntax: [] };
  const { text, leftOut } = withoutSiteSyntax(content.text);
  return { content: { ...content, text }, siteSyntax: leftOut };
}

function blocksOf(content: EntryContent, links: FileLinks, lose: (sentence: string) => void): { blocks: Block[]; problem: string | null } {
  if (content.kind === "blocks") return keptBlocks(content.content, lose);
  const base = baseOf(content);
  let text = content.text;
  const lostParts: [Loss, string][] = [];
  try {
    if (content.kind === "html") {
      const read = htmlToMarkdown(text, { base });
      read.losses.forEach(lose);
      text = read.markdown;
    }
    const { blocks } = blocksFromMarkdown(text, {
      resolve: resolving(base, links),
      lose: (what, detail) => lostParts.push([what, detail]),
      rescues: true,
      github: content.kind === "markdown" ? content.github : undefined,
      frontMatter: false,
    });
    lossesInWords(lostParts).forEach(lose);
    return { blocks: blocks.filter(saysAnything), problem: null };
  } catch (error) {
    if (error instanceof MarkdownProblem || error instanceof ImportProblem) return { blocks: [], problem: error.message };
    throw error;
  }
}

function keptBlocks(content: unknown, lose: (sentence: string) => void): { blocks: Block[]; problem: string | null } {
  const problem = boundsProblem(content);
  if (problem !== null) return { blocks: [], problem };
  const list = Array.isArray(content) ? content : asObject(content)["blocks"];
  const { blocks } = cleanBlocks(content, unlimited);
  const types = (Array.isArray(list) ? list : []).map((block) => asObject(block)["type"]);
  if (types.some((type) => typeof type === "string" && namedType(type) === undefined)) {
    lose("Only the text of unknown block types was kept");
  }
  if (types.length > blocks.length) lose("Blocks without visible content were removed");
  return { blocks, problem: null };
}

const titleFromTextLength = 80;

function titleOf(rawTitle: string, blocks: readonly Block[], lose: (sentence: string) => void): { title: string; before: Block[] } {
  const title = cleanLineOf(rawTitle.length > blockLimits.postLength ? `${rawTitle.slice(0, blockLimits.postLength)}…` : rawTitle);
  if (title.length > titleMaxLength) {
    lose(`Its title is longer than ${titleMaxLength} characters, so the full title is the first paragraph`);
    return { title: shorten(title, titleMaxLength - 1), before: [{ type: "paragraph", data: { text: escapeHtml(title) } }] };
  }
  if (title !== "") return { title, before: [] };
  const heading = blocks.find(({ type, data }) => type === "header" && inlineText(data.text).trim() !== "");
  const first = heading ?? blocks.find((block) => blockText(block).some((words) => words.trim() !== ""));
  const words = cleanLineOf((first && blockText(first).find((line) => line.trim() !== "")) ?? "");
  lose(
    words === ""
      ? "It has no title and is called “Untitled”"
      : `It has no title, so ${heading === undefined ? "its first words are" : "its first heading is"} used`,
  );
  return { title: shorten(words, titleFromTextLength) || "Untitled", before: [] };
}

function cutTo(value: string | null | undefined, length: number, what: string, lose: (sentence: string) => void): string | null {
  const text = cleanText(value ?? "").trim();
  if (text.length <= length) return text === "" ? null : text;
  lose(`${what} was shortened to ${length} characters`);
  return shorten(text.slice(0, length * 4), length - 1);
}

/** Default category and empty list of WordPress and Notion. */
function requestsOf({ requests = [] }: ImportEntry): Pick<Post, "requests"> {
  const known = requests.filter((url) => request.safeParse(url).success).slice(0, requestsPerPost);
  return known.length === 0 ? {} : { requests: known };
}

const isTag = (name: string): boolean => !/^\s*(?:uncategori[sz]ed|\[\s*\])\s*$/i.test(name);

function tagsOf(names: readonly string[], lose: (sentence: string) => void): string[] {
  const tags = new Map<string, string>();
  for (const raw of names) {
    const whole = cleanLineOf(raw.slice(0, 1_000));
    const tag = whole.length > tagMaxLength ? shorten(whole, tagMaxLength - 1) : whole;
    if (tag === "") continue;
    if (tag !== whole) lose(`A tag was shortened to ${tagMaxLength} characters: ${tag}`);
    if (!tags.has(tagKey(tag))) tags.set(tagKey(tag), tag);
  }
  const all = [...tags.values()];
  if (all.length > tagsPerPost) lose(`Only the first ${tagsPerPost} of its ${all.length} tags were kept`);
  return all.slice(0, tagsPerPost);
}

/** Closest valid slug; null if none. */
function slugFor(rawSlug: string | null | undefined): string | null {
  const text = cleanText(rawSlug ?? "").slice(0, 1_000);
  const newSlug = slugOf(text);
  return newSlug === "post" && !/post/i.test(text) ? null : newSlug;
}

function detailsOf({ details: given }: ImportEntry, lose: (sentence: string) => void): Pick<Post, "details"> {
  const { button, component, version, ...read } = readDetails(given);
  const details = {
    ...read,
    button: button && { text: cleanLineOf(button.text).slice(0, buttonTextMaxLength), url: button.url },
    component: component && (cleanLineOf(component).slice(0, componentMaxLength) || null),
    version: version !== null && version.length <= versionMaxLength ? version : null,
    audience: audience.safeParse(read.audience).data ?? (read.audience === null ? null : "internal"),
  };
  if (details.audience === "internal" && read.audience !== "internal") lose("Its audience isn’t valid, so only your team can see it");
  if (details.pinned_until !== null && details.expires_at !== null && details.pinned_until >= details.expires_at)
    details.pinned_until = null;
  const isLost = Object.entries(given ?? {}).some(([name, value]) => value && !details[name as keyof typeof details]);
  if (isLost) lose("Some of its details aren't valid");
  return JSON.stringify({ ...noDetails, ...details }) === JSON.stringify(noDetails) ? {} : { details: { ...noDetails, ...details } };
}

function coverOf({ cover, content }: ImportEntry, lose: (sentence: string) => void): Exclude<Post["cover_image"], undefined> {
  if (cover === undefined || cover === null || cover === "none") return cover ?? null;
  const url = safeImageUrl(resolving(baseOf(content))(cover.url, true) ?? "");
  if (url === null) {
    if (cover.url.trim() !== "") lose("Its cover has no usable URL");
    return null;
  }
  const alt = cleanLineOf(cover.alt ?? "");
  const [width, height] = [asInt(cover.width, 1, blockLimits.imageSide), asInt(cover.height, 1, blockLimits.imageSide)];
  const size = width !== undefined && height !== undefined ? { width, height } : {};
  return { url, alt: alt.length > altMaxLength ? shorten(alt, altMaxLength - 1) : alt, ...size };
}

function oldUrlsOf(addresses: readonly string[], lose: (sentence: string) => void): string[] {
  const urls = new Set<string>();
  for (const address of addresses) {
    const text = address.trim();
    if (text.length > blockLimits.urlLength || !URL.canParse(text)) continue;
    const url = new URL(text);
    if ((url.protocol === "http:" || url.protocol === "https:") && url.href.length <= blockLimits.urlLength) urls.add(url.href);
  }
  if (urls.size > oldUrlsPerPost) lose(`Only ${oldUrlsPerPost} of its ${urls.size} old URLs were kept`);
  return [...urls].slice(0, oldUrlsPerPost);
}

const longAgo = Date.UTC(1970, 0, 1);
/** UTC+14: earliest time zone. */
const dayIsEarlierBy = 14 * 60 * 60 * 1_000;

/** A day without a time is midnight UTC. If that's in the future but the day has begun somewhere, it's now. */
function momentUntil(now: Date, given: string | null): number | null {
  const moment = momentOf(given);
  if (moment === null || given === null || moment <= now.getTime()) return moment;
  const isBareDay = !/\d:\d/.test(given) || given.endsWith("T00:00:00.000Z");
  return isBareDay && moment <= now.getTime() + dayIsEarlierBy ? now.getTime() : moment;
}

const isoOf = (moment: number | null): string | null => (moment === null ? null : new Date(moment).toISOString());

type Timing = Pick<Post, "status" | "published_at" | "publish_at">;

const isGoingOut = ({ status }: Timing): boolean => status === "published" || status === "scheduled";

const draftSentence = (why: string): string => `${why}, so it's imported as a draft`;

/** Reason for a published entry's missing date; null otherwise. */
function whyUndated({ status, published_at }: ImportEntry): string | null {
  if (status !== "published" || momentOf(published_at) !== null) return null;
  if (published_at === null || published_at.trim() === "") return "It has no date";
  return `Its date can't be read (${shorten(cleanLineOf(published_at.slice(0, 200)), 40)})`;
}

function asDraft(why: string, lose: (sentence: string) => void): Timing {
  lose(draftSentence(why));
  return { status: "draft", published_at: null, publish_at: null };
}

/** Posts with a missing or impossible date become drafts. */
function timingOf(entry: ImportEntry, now: Date, lose: (sentence: string) => void): Timing {
  const { status, published_at, publish_at = null } = entry;
  const was = momentUntil(now, published_at);
  const validTime = was !== null && was >= longAgo && was <= now.getTime() ? was : null;
  const draft = (why: string) => asDraft(why, lose);
  switch (status) {
    case "published":
      if (was === null) return draft(whyUndated(entry)!);
      if (was > now.getTime()) return draft(`Its date is in the future (${dayOf(was)})`);
      if (was < longAgo) return draft("Its date is before 1970");
      return { status, published_at: isoOf(was), publish_at: null };
    case "scheduled": {
      const comes = momentOf(publish_at);
      if (comes === null) return draft("It has no publication time");
      if (comes <= now.getTime()) return draft(`Its publication time is in the past (${dayOf(comes)})`);
      if (comes > reach(now)) return draft(`Its publication time is more than ${scheduleReachYears} years ahead`);
      return { status, published_at: null, publish_at: isoOf(comes) };
    }
    case "archived":
      return { status, published_at: isoOf(validTime), publish_at: null };
    default:
      return { status, published_at: null, publish_at: null };
  }
}

const dayOf = (moment: number): string => new Date(moment).toISOString().replace(/T.*/, "");

function reach(now: Date): number {
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + scheduleReachYears);
  return end.getTime();
}
