import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import { z } from "zod";
import { workspaceExport } from "#contract/workspace-export.ts";
import { changelog, type ChangelogPost } from "../edge-functions/api/exports/changelog.ts";
import { formatted } from "./formatted.ts";

/** CHANGELOG.md as Tidings exports its own workspace. With an export, stores its public part first; `--check` only compares. */
const root = path.resolve(import.meta.dirname, "..");
const keptFile = path.join(root, "docs/changelog/workspace.json");
const target = path.join(root, "CHANGELOG.md");

const publicPost = z.object({
  title: z.string(),
  slug: z.string(),
  tags: z.array(z.string()),
  published_at: z.iso.datetime({ offset: true }),
  content_raw: z.unknown(),
});
const kept = z.object({ workspace: z.string(), exported_at: z.string(), posts: z.array(publicPost) });
type Kept = z.infer<typeof kept>;

const [argument] = process.argv.slice(2);
if (argument && argument !== "--check") writeFileSync(keptFile, await formatted(keptFile, JSON.stringify(publicPartOf(argument))));
const text = await exported(kept.parse(JSON.parse(readFileSync(keptFile, "utf8"))));

if (argument !== "--check") writeFileSync(target, text);
else if (readFileSync(target, "utf8") !== text) {
  console.error(`CHANGELOG.md doesn't match docs/changelog/workspace.json. Run "npm run changelog".`);
  process.exitCode = 1;
}

/** Privacy: an export has people, drafts and every revision. */
function publicPartOf(file: string): Kept {
  const { workspace, exported_at, posts } = workspaceExport.parse(JSON.parse(readFileSync(file, "utf8")));
  const published = posts.filter(({ status }) => status === "published").map((post) => publicPost.parse(post));
  return { workspace: workspace.name, exported_at, posts: published };
}

async function exported({ workspace, posts }: Kept): Promise<string> {
  const newestFirst = posts.toSorted((one, other) => Date.parse(other.published_at) - Date.parse(one.published_at));
  const published = newestFirst.map((post): ChangelogPost => ({ ...post, status: "published", publish_at: null }));
  const parts = changelog({ workspace: { name: workspace, open: false }, posts: Readable.from(published), origin: "", now: new Date() });
  return textOf(parts);
}
