import type { PostStatus } from "#contract/kinds.ts";
import { statusAt } from "#contract/rules/post-status.ts";
import type { Tag } from "#contract/tags.ts";
import type { PostForm } from "#contract/workspace-export.ts";
import type { Database } from "../../_shared/clients.ts";
import { json } from "../result.ts";

export interface StoredPost {
  id: string;
  external_id: string | null;
  title: string;
  slug: string;
  status: PostStatus;
  tags: string[];
  summary: string | null;
  excerpt: string;
  cover_image: unknown;
  details: unknown;
  author_name: string | null;
  publish_at: string | null;
  published_at: string | null;
  updated_at: string;
  requests: string[];
  content_raw: unknown;
}

export interface TakenWorkspace {
  id: string;
  name: string;
  subdomain: string;
  open: boolean;
  logo_url: string | null;
  tags: Tag[];
}

export interface Exported {
  workspace: TakenWorkspace;
  posts: AsyncIterable<StoredPost>;
  origin: string;
  now: Date;
}

interface Page {
  posts: StoredPost[];
  next: object | null;
  workspace: TakenWorkspace | null;
}

/** All posts (`markdown`) or the public ones, latest first, half a megabyte in memory at a time. */
export async function readPosts(
  db: Database,
  workspaceId: string,
  form: PostForm,
): Promise<{ workspace: TakenWorkspace; posts: AsyncGenerator<StoredPost, void> }> {
  const read = (after: object | null): Promise<Page> => json(db.rpc("export_posts", { workspace_id: workspaceId, form, after }));
  const first = await read(null);
  return { workspace: first.workspace!, posts: following(first, read) };
}

async function* following(first: Page, read: (after: object) => Promise<Page>): AsyncGenerator<StoredPost, void> {
  for (let page = first; ; page = await read(page.next)) {
    yield* page.posts;
    if (page.next === null) return;
  }
}

type Schedule = Pick<StoredPost, "status" | "publish_at" | "published_at">;

export function atPresent<Post extends Schedule>(post: Post, now: Date): Post {
  const status = statusAt(post, now);
  return { ...post, status, published_at: post.published_at ?? (status === "published" ? post.publish_at : null) };
}
