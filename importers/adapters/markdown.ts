import { shorten } from "#contract/blocks/excerpt.ts";
import { asObject } from "#contract/blocks/read.ts";
import { momentOf } from "../dates.ts";
import { type Adapter, type EntryStatus, type ImportEntry, ImportProblem, type ReadSource, type SourceFile } from "../entry.ts";
import { finished, notTooMany } from "../finish.ts";
import { fact, type Facts, factWord, frontMatterOf, namesFrom } from "../markdown/front-matter.ts";
import { addressOfFile } from "../images.ts";
import { countLeftOut } from "../left-out.ts";
import { wordOf } from "../files/json.ts";
import { outlineOf, plainWords } from "../markdown/lines.ts";
import { stateNotes, statusNamed } from "../states.ts";
import { baseName, called, readText } from "../files/text.ts";
import { archiveLimits, budgetOf, filesOfZip, isZip } from "../files/zip.ts";
import { figure } from "#contract/rules/figure.ts";

const isMarkdown = (name: string): boolean => /\.(?:md|markdown|mdown|mdx)$/i.test(name);
const isPicture = (name: string): boolean => /\.(?:png|jpe?g|gif|webp|avif|svg)$/i.test(name);
const isZipName = (name: string): boolean => /\.zip$/i.test(name);
const isHidden = (name: string): boolean =>
  name.split("/").some((part) => part.startsWith(".") || part === "__MACOSX" || part === "Thumbs.db");

/** Generic folder names that can't serve as the source's name. */
const telling = /^(?:_?posts?|_?drafts|content|blog|docs|news|changelog|releases?|articles|images|static|public)$/i;

const tooManyFiles = `There are more than ${figure(archiveLimits.files)} files`;

interface Lazy {
  name: string;
  bytes: () => Uint8Array;
}

/** Also unpacks zips inside the zip (large Notion exports), one level deep. */
function filesWithin(file: SourceFile): Lazy[] {
  const budget = budgetOf(called(file));
  let count = 0;
  const counted = (files: Lazy[]): Lazy[] => {
    count += files.length;
    if (count > archiveLimits.files) throw new ImportProblem(tooManyFiles);
    return files;
  };
  return counted(filesOfZip(file.bytes, called(file), archiveLimits, budget)).flatMap((one): Lazy[] => {
    if (!isZipName(one.name) || isHidden(one.name)) return [one];
    const bytes = one.bytes();
    if (!isZip(bytes)) return [{ name: one.name, bytes: () => bytes }];
    const folder = one.name.slice(0, one.name.lastIndexOf("/") + 1);
    return counted(filesOfZip(bytes, called(one), archiveLimits, budget)).map((inner) => ({ ...inner, name: folder + inner.name }));
  });
}

function unpacked(files: readonly SourceFile[], notes: string[]): { files: Lazy[]; zips: number } {
  const all = files.flatMap((file): Lazy[] => {
    if (!isZip(file.bytes)) return [{ name: file.name.replace(/^(?:\.\/)+/, ""), bytes: () => file.bytes }];
    return filesWithin(file);
  });
  const seen = all.filter(({ name }) => !isHidden(name));
  const zips = files.some(({ bytes }) => isZip(bytes)) ? seen.filter(({ name }) => isZipName(name)) : [];
  if (zips.length > 0) {
    if (zips.length === seen.length)
      throw new ImportProblem(`The zip contains only another zip. Please unpack it and choose ${baseName(zips[0]!.name)}`);
    notes.push(
      `Skipped a zip inside the zip: ${zips
        .map(({ name }) => baseName(name))
        .join(", ")
        .slice(0, 200)}`,
    );
  }
  if (seen.length > archiveLimits.files) throw new ImportProblem(tooManyFiles);
  const [root = ""] = /^[^/]+\//.exec(seen[0]?.name ?? "") ?? [];
  const isOne = root !== "" && !telling.test(root.slice(0, -1)) && seen.every(({ name }) => name.startsWith(root));
  return { files: isOne ? seen.map(({ name, bytes }) => ({ name: name.slice(root.length), bytes })) : seen, zips: zips.length };
}

const notionId = /[ _-]([\da-f]{32})$/i;
const dayBefore = /^(\d{4}-\d{1,2}-\d{1,2})[-_ ]+(?=.)/;

function nameFacts(path: string): { words: string; slug: string | null; date: string | null; notion: string | null; isDraft: boolean } {
  const folders = path.split("/");
  let base = folders.pop()!.replace(/\.\w+$/, "");
  if (/^index$/i.test(base) && folders.length > 0) base = folders.at(-1)!; // a folder with its images
  const [, notion = null] = notionId.exec(base) ?? [];
  const plainName = notion === null ? base : base.slice(0, -notion.length - 1);
  const [day = "", date = null] = dayBefore.exec(plainName) ?? [];
  const slug = plainName.slice(day.length);
  const words = notion === null ? slug.replace(/[-_]+/g, " ").trim() : slug.trim();
  const isDraft = folders.some((folder) => /^_?drafts$/i.test(folder));
  return { words: words.charAt(0).toUpperCase() + words.slice(1), slug: notion === null ? slug : null, date, notion, isDraft };
}

/** Notion writes properties as lines below the title. */
const property = /^([\p{L}][\p{L}\p{N} _/()-]{0,40}): ?(.*)$/u;
const recognized =
  /^(?:title|name|date|published(?: ?(?:on|at|date))?|publish date|created(?: time| at)?|tags?|categor(?:y|ies)|labels?|type|status|state|author|created by|slug|summary|description|excerpt|draft)$/i;

function notionFacts(text: string): { facts: Map<string, unknown>; text: string; left: string[] } {
  const lines = text.split("\n");
  const facts = new Map<string, unknown>();
  const left: string[] = [];
  let at = 0;
  while (at < lines.length && lines[at]!.trim() === "") at++;
  const start = at;
  for (; at < lines.length && lines[at]!.trim() !== ""; at++) {
    const [, name, value = ""] = property.exec(lines[at]!) ?? [];
    if (name === undefined) return { facts: new Map(), text, left: [] };
    if (recognized.test(name)) facts.set(name.toLowerCase().replace(/[-_ ]/g, ""), value.trim());
    else if (value.trim() !== "") left.push(name);
  }
  return at === start || facts.size === 0
    ? { facts: new Map(), text, left: [] }
    : { facts, text: lines.slice(at).join("\n").replace(/^\n+/, ""), left };
}

function titled(text: string): { title: string | null; text: string } {
  const start = text.slice(0, 5_000);
  const { headings, lines } = outlineOf(start)!;
  const [first] = headings;
  if (first === undefined || first.level !== 1 || lines.slice(0, first.line).some((line) => line.trim() !== ""))
    return { title: null, text };
  if (first.end === lines.length && text.length > start.length) return { title: null, text };
  const length = lines.slice(0, first.end).join("\n").length;
  return { title: plainWords(first.text), text: text.slice(length).replace(/^\n+/, "") };
}

const isYes = (value: unknown): boolean => value === true || (typeof value === "string" && /^\s*(?:true|yes)\s*$/i.test(value));
const isNo = (value: unknown): boolean => value === false || (typeof value === "string" && /^\s*(?:false|no)\s*$/i.test(value));

const stateOf = (facts: Facts): string | null =>
  namesFrom(fact(facts, "status", "state"))
    .filter(Boolean)
    .join(", ") || null;

function statusOf(facts: Facts, isInDrafts: boolean): EntryStatus {
  const publication = stateOf(facts);
  const status = publication === null ? null : (statusNamed(publication) ?? "draft");
  const isDraft = isYes(fact(facts, "draft")) || isNo(facts.get("published"));
  if (isDraft && (status === null || status === "published")) return "draft";
  return status ?? (isInDrafts ? "draft" : "published");
}

function coverOf(facts: Facts): ImportEntry["cover"] {
  const given = fact(facts, "cover", "coverimage", "image", "featuredimage", "heroimage", "thumbnail", "banner");
  if (given === "none") return "none";
  const object = asObject(given);
  const url =
    typeof given === "string"
      ? given
      : (["image", "url", "src", "path", "feature"].map((name) => object[name]).find((one) => typeof one === "string") ?? null);
  if (typeof url !== "string" || url.trim() === "") return null;
  const alt = factWord(facts, "coveralt", "imagealt", "alt") ?? (typeof object["alt"] === "string" ? object["alt"] : null);
  return { url: url.trim(), ...(alt === null ? {} : { alt }) };
}

function authorOf(facts: Facts): string | null {
  const authors = fact(facts, "author", "authors", "createdby");
  const name =
    typeof authors === "object" && authors !== null && !Array.isArray(authors) ? asObject(authors)["name"] : namesFrom(authors).join(", ");
  return typeof name === "string" && name.trim() !== "" ? name.trim() : null;
}

/** Our own names (edge-functions/api/exports/post-file.ts). */
function detailsOf(facts: Facts): ImportEntry["details"] {
  const isTrue = (name: string): boolean => String(fact(facts, name)) === "true";
  const button = { text: factWord(facts, "buttontext"), url: factWord(facts, "buttonurl") };
  const audience = factWord(facts, "audience");
  const placement = fact(facts, "placement");
  return {
    pinned_until: factWord(facts, "pinneduntil"),
    expires_at: factWord(facts, "expiresat"),
    button: button.text === null ? null : button,
    version: factWord(facts, "productversion"),
    component: factWord(facts, "component"),
    breaking: isTrue("breaking"),
    security: isTrue("security"),
    audience: audience === "internal" ? audience : audience?.startsWith("{") ? parsedAudience(audience) : null,
    placement: typeof placement === "object" ? placement : null,
  };
}

function parsedAudience(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const dates = [
  "date",
  "publishedat",
  "publishdate",
  "publishedon",
  "publisheddate",
  "pubdate",
  "datepublished",
  "created",
  "createdat",
  "createdtime",
];

function entryOf(path: string, bytes: Uint8Array, source: SourceFile): ImportEntry {
  const { text: whole, note } = readText({ ...source, bytes });
  if (whole.trim() === "") throw new ImportProblem(`${baseName(path)} is empty`);
  const notes: string[] = note === null ? [] : [note];
  const front = frontMatterOf(whole);
  if (front.problem !== null) notes.push(front.problem);
  const name = nameFacts(path);
  const head = titled(front.text);
  const notion = name.notion === null ? null : notionFacts(head.title === null ? front.text : head.text);
  const facts: Facts = notion === null ? front.facts : new Map([...notion.facts, ...front.facts]);
  if (notion !== null && notion.left.length > 0) notes.push(`Skipped properties: ${notion.left.slice(0, 5).join(", ")}`);

  const factTitle =
    typeof facts.get("title") === "string" ? (facts.get("title") as string).trim() : (factWord(facts, "title", "name") ?? null);
  // Removes a heading that repeats the title.
  const isSame = head.title !== null && (factTitle === null || factTitle === "" || factTitle.toLowerCase() === head.title.toLowerCase());
  const body =
    notion === null ? front.text : head.title === null ? notion.text : isSame ? notion.text : `# ${head.title}\n\n${notion.text}`;
  const text = notion === null && isSame && !facts.has("externalid") ? head.text : body;
  const title = factTitle ?? head.title ?? (name.words || name.slug || "");

  const isReadable = (fact: string): boolean => momentOf(String(facts.get(fact) ?? "")) !== null;
  const when = wordOf(fact(facts, ...dates.filter(isReadable), ...dates));
  const isNameBetter = when !== null && name.date !== null && momentOf(when) === null;
  if (isNameBetter) notes.push(`Its date can't be read (${shorten(when.slice(0, 200), 40)}), so the date in its file name is used`);
  const external = factWord(facts, "externalid");
  notes.push(...stateNotes(stateOf(facts)));
  const addresses = [fact(facts, "url"), fact(facts, "canonicalurl", "canonical"), fact(facts, "aliases", "redirectfrom")].flatMap(
    namesFrom,
  );
  return {
    external_id: external ?? (name.notion === null ? `markdown:${path}` : `notion:${name.notion.toLowerCase()}`),
    title,
    published_at: when === null || isNameBetter ? name.date : when,
    publish_at: factWord(facts, "publishat"),
    status: statusOf(facts, name.isDraft),
    tags: [
      ...namesFrom(facts.get("tags") ?? facts.get("tag")),
      ...namesFrom(fact(facts, "categories", "category")),
      ...namesFrom(facts.get("labels")),
    ],
    summary: factWord(facts, "summary", "description", "excerpt"),
    slug: factWord(facts, "slug") ?? (name.slug === null || facts.has("externalid") ? null : name.slug),
    cover: coverOf(facts),
    author: authorOf(facts),
    details: detailsOf(facts),
    old_urls: addresses.filter((address) => /^https?:\/\//i.test(address)),
    content: { kind: "markdown", text, base: addressOfFile(path), ...(external === null && { site: true }) },
    requests: namesFrom(facts.get("requests")),
    isOurs: external !== null,
    notes,
  };
}

/** By path, and by the path from a root folder that a tool serves. */
function picturesIn(files: readonly Lazy[]): Map<string, Uint8Array> {
  const pictures = new Map(files.filter(({ name }) => isPicture(name)).map(({ name, bytes }) => [name, bytes()]));
  for (const [path, bytes] of [...pictures]) {
    const [, served] = /(?:^|\/)(?:static|public|source)\/(.+)$/.exec(path) ?? [];
    if (served !== undefined && !pictures.has(served)) pictures.set(served, bytes);
  }
  return pictures;
}

/** Markdown file, folder or zip, with or without front matter (ours, Jekyll's, Hugo's); Notion's export. */
export const markdown: Adapter = {
  source: "markdown",
  recognizes(files) {
    if (files.length === 1 && isZip(files[0]!.bytes)) {
      try {
        return filesOfZip(files[0]!.bytes, "").some(({ name }) => isMarkdown(name)) ? 2 : 1;
      } catch {
        return 1;
      }
    }
    return files.some(({ name, bytes }) => isMarkdown(name) || isZip(bytes)) ? 1 : 0;
  },
  read(files): ReadSource {
    const notes: string[] = [];
    const { files: all, zips } = unpacked(files, notes);
    const texts = all.filter(({ name }) => isMarkdown(name));
    const isAside = ({ name }: Lazy): boolean =>
      texts.length > 1 && /^(?:_index|readme|license|licence|contributing|code_of_conduct|security|changelog)\.\w+$/i.test(baseName(name));
    const aside = texts.filter(isAside);
    const posts = texts.filter((file) => !isAside(file));
    if (posts.length === 0) throw new ImportProblem("No Markdown file (.md) found");
    notTooMany(posts.length);
    if (aside.length > 0)
      notes.push(`Skipped, because they aren't posts: ${[...new Set(aside.map(({ name }) => baseName(name)))].slice(0, 5).join(", ")}`);
    const others = all.filter(({ name }) => !isMarkdown(name) && !isPicture(name) && !isZipName(name) && baseName(name) !== "missing.txt");
    if (others.length > 0) {
      const examples = others.slice(0, 3).map(({ name }) => baseName(name));
      notes.push(
        `${others.length === 1 ? "One file" : `${figure(others.length)} files`} of other types skipped: ${examples.join(", ").slice(0, 200)}${others.length > 3 ? " …" : ""}`,
      );
    }
    if (all.some(({ name }) => name === "missing.txt")) notes.push("Some images were missing from the export; missing.txt lists them");
    let problem: ImportProblem | null = null;
    const entries = posts.flatMap(({ name, bytes }): ImportEntry[] => {
      const content = bytes();
      try {
        return [entryOf(name, content, { name, bytes: content })];
      } catch (error) {
        if (!(error instanceof ImportProblem)) throw error;
        problem = error;
        notes.push(`Skipped: ${error.message}`);
        return [];
      }
    });
    if (entries.length === 0 && problem !== null) throw problem as ImportProblem;
    const isNamed = entries.every(({ external_id }) => !external_id.startsWith("markdown:"));
    const leftOut = countLeftOut(aside.length + others.length + zips + posts.length - entries.length, "file");
    return finished({ source: "markdown", name: null, isNamed, entries, notes, leftOut, images: picturesIn(all) });
  },
};
