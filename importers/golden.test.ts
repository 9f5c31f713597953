import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { importedPost } from "#contract/imports.ts";
import { adapters } from "./adapters/all.ts";
import { adapterFor, unknownFiles } from "./detect.ts";
import { ImportProblem, type SourceFile } from "./entry.ts";
import { prepare } from "./to-post.ts";

const root = path.join(import.meta.dirname, "fixtures");
const now = new Date("2026-06-01T12:00:00Z");
const suffix = ".expected.json";
const addresses: Readonly<Record<string, string>> = {
  "ghost/site.ghost.json": "https://lighthouse.example",
  "headway/acme.html": "https://headwayapp.co/acme-changelog",
  "headway/broken-fields.html": "https://headwayapp.co/acme-changelog",
  "headway/feed.xml": "https://changelog.acme.example/feed",
  "headway/own-domain.html": "https://changelog.globex.example",
};

function filesIn(folder: string, below = ""): SourceFile[] {
  return readdirSync(path.join(folder, below), { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry): SourceFile[] => {
      const name = path.posix.join(below, entry.name);
      return entry.isDirectory() ? filesIn(folder, name) : [{ name, bytes: new Uint8Array(readFileSync(path.join(folder, name))) }];
    });
}

function chosen(source: string, name: string): SourceFile[] {
  const place = path.join(root, source, name);
  if (!statSync(place).isDirectory()) return [{ name, bytes: new Uint8Array(readFileSync(place)) }];
  const files = filesIn(place);
  if (!name.endsWith(".zip")) return files;
  return [{ name, bytes: zipSync(Object.fromEntries(files.map((file) => [file.name, file.bytes]))) }];
}

async function comesOf(source: string, files: SourceFile[], address: string | undefined): Promise<unknown> {
  const detected = adapterFor(files)?.source ?? unknownFiles(files);
  const adapter = adapters.find((one) => one.source === source)!;
  try {
    const { name, entries, notes, images } = adapter.read(files, { now, ...(address === undefined ? {} : { address }) });
    const posts = [];
    for (const entry of entries) {
      const { formerFingerprint: _former, undated: _undated, ...prepared } = await prepare(entry, { now });
      if (prepared.problem === null) importedPost.parse(prepared.post);
      const { fingerprint: _, ...post } = prepared.post;
      posts.push({ ...prepared, post });
    }
    return { detected, name, notes, pictures: [...images.keys()], posts };
  } catch (error) {
    if (!(error instanceof ImportProblem)) throw error;
    return { detected, problem: error.message };
  }
}

describe.each(readdirSync(root))("%s", (source) => {
  const cases = readdirSync(path.join(root, source)).filter((name) => !name.endsWith(suffix));
  test("each source has three valid fixtures and some broken ones", () => {
    const broken = cases.filter((name) => name.startsWith("broken"));
    expect(cases.length - broken.length).toBeGreaterThanOrEqual(3);
    expect(broken.length).toBeGreaterThanOrEqual(2);
  });
  test.each(cases)("%s", async (name) => {
    const expected = path.join(root, source, `${name}${suffix}`);
    await expect(
      `${JSON.stringify(await comesOf(source, chosen(source, name), addresses[`${source}/${name}`]), null, 2)}\n`,
    ).toMatchFileSnapshot(expected);
  });
});
