import { asList, asObject, type Unknown } from "#contract/blocks/read.ts";
import { readCover } from "#contract/rules/cover.ts";
import { tagKey } from "#contract/rules/tag-key.ts";
import { type Tag, tagOf } from "#contract/tags.ts";
import { exportFormat } from "#contract/export-format.ts";
import { momentOf } from "../dates.ts";
import { type Adapter, type EntryStatus, type ImportEntry, ImportProblem, type ReadSource, type SourceFile } from "../entry.ts";
import { finished, notTooMany } from "../finish.ts";
import { jsonValues, textOf } from "../files/json.ts";
import { beginning, called } from "../files/text.ts";

const statuses: readonly EntryStatus[] = ["draft", "scheduled", "published", "archived"];

const rowsOf = (document: Unknown, name: string): Unknown[] => asList(document[name], Infinity).map(asObject);

function nameOf(key: string, own: readonly Tag[]): string {
  const { label } = tagOf(key, own);
  return tagKey(label) === key ? label : key;
}

function formerAddresses(document: Unknown): Map<string, string[]> {
  const addresses = new Map<string, string[]>();
  const add = (post: unknown, address: string): void => {
    if (typeof post !== "string") return;
    const existing = addresses.get(post);
    if (existing === undefined) addresses.set(post, [address]);
    else existing.push(address);
  };
  for (const { host, path, post_id } of rowsOf(document, "post_redirects")) {
    if (typeof host === "string" && typeof path === "string") add(post_id, `https://${host}${path}`);
  }
  // Exports don't name the page's host. Any host works: redirects match by path.
  const host = `${textOf(asObject(document["workspace"])["subdomain"]) ?? "workspace"}.invalid`;
  for (const { slug, post_id } of rowsOf(document, "post_slugs")) {
    if (typeof slug === "string") add(post_id, `https://${host}/releases/${slug}`);
  }
  return addresses;
}

function entryOf(post: Unknown, own: readonly Tag[], addresses: ReadonlyMap<string, string[]>, now: Date, file: SourceFile): ImportEntry {
  const id = textOf(post["id"]);
  const status = statuses.find((one) => one === post["status"]);
  if (id === null || status === undefined) throw new ImportProblem(`A post in ${called(file)} has no ${id === null ? "id" : "status"}`);
  const publishAt = textOf(post["publish_at"]);
  const due = momentOf(publishAt);
  // Due posts count as published, even if the publisher hadn't run.
  const isDue = status === "scheduled" && due !== null && due <= now.getTime();
  const tags = asList(post["tags"], 1_000).filter((key) => typeof key === "string");
  return {
    external_id: textOf(post["external_id"]) ?? `tidings:${id}`,
    title: textOf(post["title"]) ?? "",
    published_at: textOf(post["published_at"]) ?? (isDue ? publishAt : null),
    publish_at: isDue ? null : publishAt,
    status: isDue ? "published" : status,
    tags: tags.map((key) => nameOf(key, own)),
    summary: textOf(post["summary"]),
    slug: textOf(post["slug"]),
    cover: readCover(post["cover_image"]),
    author: textOf(post["author_name"]),
    details: asObject(post["details"]),
    old_urls: addresses.get(id) ?? [],
    content: { kind: "blocks", content: post["content_raw"] ?? [] },
    requests: asList(post["requests"], 100).filter((url) => typeof url === "string"),
    isOurs: true,
    notes: [],
  };
}

export const tidings: Adapter = {
  source: "tidings",
  recognizes: (files) =>
    files.length === 1 && new RegExp(`^\\s*\\{\\s*"format"\\s*:\\s*"${exportFormat}"`).test(beginning(files[0]!)) ? 2 : 0,
  read(files, { now }): ReadSource {
    const [file] = files;
    if (file === undefined || files.length > 1) throw new ImportProblem("Please choose one export at a time");
    const { values, note } = jsonValues(file);
    const document = asObject(values[0]);
    if (document["format"] !== exportFormat)
      throw new ImportProblem(`${called(file)} isn't a workspace export: its format isn't ${exportFormat}`);
    if (!Array.isArray(document["posts"])) throw new ImportProblem(`${called(file)} has no list of posts`);
    const posts = rowsOf(document, "posts");
    if (posts.length === 0) throw new ImportProblem("The export has no posts");
    notTooMany(posts.length);
    const own = rowsOf(document, "tags").flatMap(({ key, label }): Tag[] =>
      typeof key === "string" && typeof label === "string" ? [{ key, label, colour: "gray" }] : [],
    );
    const addresses = formerAddresses(document);
    return finished({
      source: "tidings",
      name: textOf(asObject(document["workspace"])["name"]),
      entries: posts.map((post) => entryOf(post, own, addresses, now, file)),
      notes: note === null ? [] : [note],
    });
  },
};
