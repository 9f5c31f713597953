import { asList, asObject } from "#contract/blocks/read.ts";
import { type Adapter, type ImportEntry, ImportProblem, type ReadSource, type SourceFile } from "../entry.ts";
import { finished, notTooMany } from "../finish.ts";
import { jsonValues, textOf, wordOf } from "../files/json.ts";
import { stateNotes, statusNamed } from "../states.ts";
import { beginning, called } from "../files/text.ts";

const tagNames: Readonly<Record<string, string>> = {
  fix: "Fix",
  new: "New",
  improvement: "Improvement",
  announcement: "Announcement",
  alert: "Alert",
};
const mostPosts = 50;

function entryOf(value: unknown, file: SourceFile): ImportEntry {
  const post = asObject(value);
  const id = wordOf(post["id"]);
  const missing = id === null ? "id" : typeof post["content"] === "string" ? null : "content";
  if (missing !== null) throw new ImportProblem(`A post in ${called(file)} has no ${missing}`);
  const url = textOf(post["url"]);
  const published = textOf(post["publication_date"]) ?? textOf(post["created_at"]);
  const state = textOf(post["status"])?.trim() || null;
  const tags = [...asList(post["tags"], 100), post["type"]].filter((tag) => typeof tag === "string");
  return {
    external_id: `changes-page:${id}`,
    title: textOf(post["title"]) ?? "",
    published_at: published,
    status: state === null ? "published" : (statusNamed(state) ?? "draft"),
    tags: [...new Set(tags.map((tag) => (Object.hasOwn(tagNames, tag) ? tagNames[tag] : undefined) ?? tag))],
    old_urls: url === null ? [] : [url],
    content: { kind: "markdown", text: textOf(post["content"]) ?? "", ...(url === null ? {} : { base: url }) },
    notes: stateNotes(state),
  };
}

export const changesPage: Adapter = {
  source: "changes-page",
  recognizes(files) {
    const texts = files.map((file) => beginning(file, 200_000));
    const isIts = (text: string): boolean => /^\s*\[/.test(text) && /"publication_date"\s*:/.test(text) && /"content"\s*:/.test(text);
    return texts.length > 0 && texts.every(isIts) ? 2 : 0;
  },
  read(files): ReadSource {
    const notes: string[] = [];
    const entries = files.flatMap((file) => {
      const { values, note } = jsonValues(file);
      if (note !== null) notes.push(note);
      const posts = values.flatMap((value) => (Array.isArray(value) ? value : asObject(value)["posts"]));
      if (posts.some((post) => typeof post !== "object" || post === null)) throw new ImportProblem(`${called(file)} has no list of posts`);
      notTooMany(posts.length);
      if (posts.length === mostPosts) notes.push(`changes.page returns only the latest ${mostPosts} posts, so older ones may be missing`);
      return posts.map((post) => entryOf(post, file));
    });
    if (entries.length === 0)
      throw new ImportProblem("No posts found. Check the URL: changes.page returns an empty list for unknown pages too");
    const hosts = entries.flatMap(({ old_urls: [url = ""] }) => (URL.canParse(url) ? [new URL(url).hostname] : []));
    return finished({ source: "changes-page", name: hosts[0] ?? null, entries, notes });
  },
};
