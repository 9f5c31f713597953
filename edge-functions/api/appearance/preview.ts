import type { AppearanceChoices } from "#contract/appearance.ts";
import type { AppearancePreview } from "#contract/appearance-preview.ts";
import { defaultTags, type Tag, tagOf } from "#contract/tags.ts";
import type { Database } from "../../_shared/clients.ts";
import type { Env } from "../../_shared/env.ts";
import { json, rows } from "../result.ts";
import { findPublicWorkspace } from "./public-workspace.ts";

const shownPosts = 4;

export async function appearancePreviewOf(
  db: Database,
  env: Env,
  workspaceId: string,
  choices: Partial<AppearanceChoices>,
): Promise<AppearancePreview> {
  const [workspace, tags, posts, latest] = await Promise.all([
    findPublicWorkspace(db, workspaceId, env.mail !== null),
    findPublicTags(db, workspaceId),
    rows(
      db
        .from("posts")
        .select("id, slug, title, excerpt, summary, tags, author_name, published_at, content_updated_at, version, cover_image, details")
        .match({ workspace_id: workspaceId, status: "published" })
        .order("published_at", { ascending: false })
        .limit(shownPosts),
    ),
    rows(
      db
        .from("posts")
        .select("id, content_raw")
        .match({ workspace_id: workspaceId, status: "published" })
        .order("published_at", { ascending: false })
        .limit(1),
    ),
  ]);
  const releases = posts.map(({ excerpt, summary, content_updated_at, published_at, ...post }) => ({
    ...post,
    excerpt: summary ?? excerpt,
    published_at: new Date(published_at ?? content_updated_at),
    updated_at: new Date(content_updated_at),
  }));
  // Lazy import: only previews need the page renderer.
  const { renderLook } = await import("../../releases/appearance-preview.tsx");
  return await renderLook({
    publicUrl: env.publicUrl,
    workspace: { ...workspace, appearance: { ...workspace.appearance, ...choices } },
    releases,
    contents: new Map(latest.map(({ id, content_raw }) => [id, content_raw])),
    tags: posts.length > 0 ? tags : [tagOf("feature")],
    now: new Date(),
  });
}

/** Batch size: keys are part of the URL. */
const askedTags = 50;

/** Same result as private.release_tags, even if the page is off. */
async function findPublicTags(db: Database, workspaceId: string): Promise<Tag[]> {
  const { tags, carried } = await json<{ tags: Tag[]; carried: { key: string }[] }>(db.rpc("list_tags", { workspace_id: workspaceId }));
  const keys = new Set<string>();
  for (let left = carried.map(({ key }) => key); left.length > 0;) {
    const batch = left.slice(0, askedTags);
    const posts = await rows(
      db
        .from("posts")
        .select("tags")
        .match({ workspace_id: workspaceId, status: "published" })
        .filter("tags", "ov", `{${batch.map((key) => JSON.stringify(key)).join()}}`)
        .limit(200),
    );
    for (const key of posts.flatMap((post) => post.tags)) keys.add(key);
    left = left.filter((key) => !keys.has(key) && (posts.length > 0 || !batch.includes(key)));
  }
  const isDefault = (key: string) => defaultTags.some((tag) => tag.key === key);
  const place = ({ key, label }: Tag) => (isDefault(key) ? key : label.toLowerCase());
  return [...keys].map((key) => tagOf(key, tags)).sort((one, other) => (place(one) < place(other) ? -1 : 1));
}
