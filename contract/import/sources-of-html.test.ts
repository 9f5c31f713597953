import { describe, expect, test } from "vitest";
import { expectedOf, goldenFiles, now, readGolden } from "../../tests/support/golden-imports.ts";
import { announcekit } from "./announcekit.ts";
import { beamer } from "./beamer.ts";
import { canny } from "./canny.ts";
import { type Adapter, ImportProblem } from "./entry.ts";
import { feed } from "./feed.ts";
import { ghost } from "./ghost.ts";
import { headway } from "./headway.ts";
import { launchnotes } from "./launchnotes.ts";

const adapters = { announcekit, beamer, canny, feed, ghost, headway, launchnotes };

describe("reads", () => {
  test.each<[keyof typeof adapters, string, string | undefined, ...string[]]>([
    ["feed", "wordpress.xml", undefined],
    ["feed", "atom.xml", undefined],
    ["feed", "feed.json", undefined],
    ["feed", "rss1-latin1.xml", undefined],
    ["feed", "latest-20.xml", undefined],
    ["feed", "broken-fields.xml", undefined],
    ["headway", "acme.html", "https://headwayapp.co/acme-changelog"],
    ["headway", "own-domain.html", "https://changelog.globex.example"],
    ["headway", "feed.xml", "https://changelog.acme.example/feed"],
    ["headway", "broken-fields.html", "https://headwayapp.co/acme-changelog"],
    ["beamer", "beamer-page-1.json", undefined, "beamer-page-2.json"],
    ["beamer", "posts.csv", undefined],
    ["beamer", "broken-fields.json", undefined],
    ["beamer", "empty.json", undefined],
    ["announcekit", "announcekit-page-1.json", undefined],
    ["announcekit", "export.json", undefined],
    ["announcekit", "future.json", undefined],
    ["announcekit", "broken-fields.json", undefined],
    ["canny", "canny-page-1.json", undefined],
    ["canny", "html.json", undefined],
    ["canny", "plain.json", undefined],
    ["canny", "broken-fields.json", undefined],
    ["launchnotes", "launchnotes-page-1.json", undefined],
    ["launchnotes", "markdown.json", undefined],
    ["launchnotes", "edges.json", undefined],
    ["launchnotes", "broken-fields.json", undefined],
    ["ghost", "site.ghost.json", "https://lighthouse.example"],
    ["ghost", "old.ghost.json", undefined],
    ["ghost", "scheduled.ghost.json", undefined],
  ])("%s: %s", async (source, file, address, ...more) => {
    const read = await readGolden(adapters[source], [file, ...more], address);
    expect(JSON.parse(read)).toBeTypeOf("object");
    await expect(read).toMatchFileSnapshot(expectedOf(source, file));
  });
});

describe("says what is missing", () => {
  test.each<[keyof typeof adapters, string, string]>([
    ["feed", "broken-cut.xml", "broken-cut.xml ends in the middle: it was not downloaded whole"],
    ["feed", "broken-entities.xml", "This feed defines entities of its own, which is how such files are made to explode: it is not read"],
    [
      "headway",
      "broken-empty.html",
      "There is no post on this page of Headway: no link in it has an address that ends in a post’s number, as /a-title-123456",
    ],
    ["beamer", "broken-shape.json", "This is no answer of Beamer: no object in it has the field “translations”; it has “id”, “headline”"],
    ["beamer", "broken.csv", "This is no file of Beamer: it has no column “title”; it has “Name”, “Email”"],
    ["announcekit", "broken-refused.json", "AnnounceKit answered: Access denied"],
    [
      "announcekit",
      "broken-shape.json",
      "This is no answer of AnnounceKit: no object in it has the field “locales” or “contents”, each with “title” and “body”; it has “data”, “posts”, “list”, “id”, “name”",
    ],
    ["canny", "broken-key.json", "Canny answered: invalid api key"],
    [
      "canny",
      "broken-shape.json",
      "This is no answer of Canny: no object in it has the field “title” with “markdownDetails”, “htmlDetails” or “plaintextDetails”; it has “entries”, “id”, “name”",
    ],
    [
      "launchnotes",
      "broken-null.json",
      "This is no answer of LaunchNotes: no object in it has the field “headline”; it has “data”, “project”",
    ],
    [
      "launchnotes",
      "broken-shape.json",
      "This is no answer of LaunchNotes: no object in it has the field “headline”; it has “data”, “project”, “announcements”, “nodes”, “id”, “title”",
    ],
    ["ghost", "broken-no-posts.json", "This export of Ghost has no field “posts”"],
    ["ghost", "broken-no-db.json", "This is no export of Ghost: it has no field “db” with “data” in it"],
    ["ghost", "broken-cut.json", "broken-cut.json ends in the middle: it was not downloaded whole"],
  ])("%s: %s", (source, file, sentence) => {
    const read = () => adapters[source].read(goldenFiles(source, file), { now });
    expect(read).toThrow(ImportProblem);
    expect(read).toThrow(new ImportProblem(sentence));
  });
});

describe("knows its own", () => {
  const files: [keyof typeof adapters, string][] = [
    ["feed", "wordpress.xml"],
    ["feed", "atom.xml"],
    ["feed", "feed.json"],
    ["feed", "rss1-latin1.xml"],
    ["headway", "acme.html"],
    ["headway", "own-domain.html"],
    ["headway", "feed.xml"],
    ["beamer", "beamer-page-1.json"],
    ["beamer", "posts.csv"],
    ["announcekit", "announcekit-page-1.json"],
    ["announcekit", "export.json"],
    ["canny", "canny-page-1.json"],
    ["canny", "html.json"],
    ["launchnotes", "launchnotes-page-1.json"],
    ["launchnotes", "markdown.json"],
    ["ghost", "site.ghost.json"],
    ["ghost", "old.ghost.json"],
  ];
  test.each(files)("%s: %s", (source, file) => {
    const given = goldenFiles(source, file);
    const sure = Object.values<Adapter>(adapters).map((adapter) => [adapter.recognizes(given), adapter.source] as const);
    const best = Math.max(...sure.map(([how]) => how));
    expect(best).toBeGreaterThan(0);
    expect(sure.filter(([how]) => how === best).map(([, name]) => name)).toEqual([source]);
  });
  test.each(Object.keys(adapters) as (keyof typeof adapters)[])("%s knows nothing of what is none of its", (source) => {
    for (const text of ["", "# Changelog\n\n## 1.0.0", "{}", "[]", "\0\x01\x02", "<p>a</p>", '{"a":1', "title,content\na,b"]) {
      expect(adapters[source].recognizes([{ name: "file.txt", bytes: new TextEncoder().encode(text) }])).toBe(0);
    }
    expect(adapters[source].recognizes([])).toBe(0);
  });
});
