import { asObject } from "#contract/blocks/read.ts";
import { type Adapter, type ImportEntry, ImportProblem, type ReadSource, type SourceFile } from "../entry.ts";
import { finished, notTooMany } from "../finish.ts";
import { jsonValues, textOf } from "../files/json.ts";
import { outlineOf } from "../markdown/lines.ts";
import { sectionTags } from "../markdown/sections.ts";
import { beginning, called } from "../files/text.ts";

const field = (release: Record<string, unknown>, name: string): unknown =>
  release[name] ?? release[name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())];

function repositoryOf(address: string | null): string | null {
  const [, owner, name] =
    /^(?:(?:https?:\/\/)?(?:www\.)?github\.com\/|https:\/\/api\.github\.com\/repos\/)?([\w.-]+)\/([\w.-]+?)(?:\.git)?(?:\/.*)?$/i.exec(
      address ?? "",
    ) ?? [];
  return owner === undefined || owner === "https:" ? null : `${owner}/${name}`;
}

function entryOf(value: unknown, file: SourceFile, requestedRepository: string | null): ImportEntry {
  const release = asObject(value);
  const tag = textOf(field(release, "tag_name"));
  if (tag === null) throw new ImportProblem(`A release in ${called(file)} has no tag_name`);
  const repository = repositoryOf(textOf(field(release, "html_url")) ?? textOf(release["url"])) ?? requestedRepository;
  const author = asObject(release["author"]);
  const login = textOf(author["name"]) || textOf(author["login"]);
  const isBot = author["type"] === "Bot" || login?.endsWith("[bot]") === true;
  const isDraft = (release["draft"] ?? release["isDraft"]) === true;
  const body = (textOf(release["body"]) ?? "").replace(/\r\n?/g, "\n");
  const published = textOf(field(release, "published_at"));
  return {
    external_id: `github:${repository === null ? "" : `${repository}@`}${tag}`,
    title: textOf(release["name"])?.trim() || tag,
    published_at: isDraft ? null : (published ?? textOf(field(release, "created_at"))),
    status: isDraft ? "draft" : "published",
    tags: [
      ...((release["prerelease"] ?? release["isPrerelease"]) === true ? ["Prerelease"] : []),
      ...sectionTags(outlineOf(body)?.headings ?? []),
    ],
    author: isBot ? null : login,
    old_urls: [],
    content: {
      kind: "markdown",
      text: body,
      github: repository ?? "",
      ...(repository === null ? {} : { base: `https://github.com/${repository}/blob/${encodeURIComponent(tag.toWellFormed())}/` }),
    },
    notes: [],
  };
}

function releasesOf(value: unknown, file: SourceFile): unknown[] {
  if (Array.isArray(value)) return value.flatMap((one: unknown) => (Array.isArray(one) ? one : [one]));
  const object = asObject(value);
  if (Array.isArray(object["releases"])) return object["releases"];
  if (field(object, "tag_name") !== undefined) return [object];
  const message = textOf(object["message"]);
  if (message !== null) throw new ImportProblem(`GitHub responded in ${called(file)}: ${message.slice(0, 200)}`);
  throw new ImportProblem(`${called(file)} has no list of releases`);
}

export const github: Adapter = {
  source: "github",
  recognizes(files) {
    if (files.length === 0) return 0;
    const texts = files.map((file) => beginning(file, 20_000));
    const isSure = texts.every((text) => /^\s*[[{]/.test(text) && /"(?:tag_name|tagName)"\s*:/.test(text));
    const mayBe = texts.some((text) => /"(?:tag_name|tagName)"\s*:/.test(text)) && texts.every((text) => /^\s*(?:\[\s*\]|[[{])/.test(text));
    return isSure || mayBe ? 2 : 0;
  },
  read(files, { address }): ReadSource {
    const requestedRepository = repositoryOf(address ?? null);
    const notes: string[] = [];
    const releases: [unknown, SourceFile][] = [];
    for (const file of files) {
      const { values, note } = jsonValues(file);
      if (note !== null) notes.push(note);
      for (const value of values) releases.push(...releasesOf(value, file).map((one) => [one, file] as [unknown, SourceFile]));
    }
    if (releases.length === 0) throw new ImportProblem("The file has no releases");
    notTooMany(releases.length);
    const entries = releases.map(([release, file]) => entryOf(release, file, requestedRepository));
    const [, name] = /^github:(.+)@/.exec(entries[0]!.external_id) ?? [];
    const isNamed = entries.every(({ content }) => content.kind === "markdown" && content.github !== "");
    return finished({ source: "github", name: name ?? requestedRepository, isNamed, entries, notes });
  },
};
