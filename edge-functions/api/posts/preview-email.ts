import type { Json } from "#contract/database.ts";
import type { Database } from "../../_shared/clients.ts";
import type { Env } from "../../_shared/env.ts";
import type { Message } from "../../_shared/mail.ts";
import { originBelow } from "../../_shared/public-origin.ts";
import type { Previewed } from "../../releases/preview.tsx";
import { findPublicWorkspace } from "../appearance/public-workspace.ts";
import { type ReaderDelivery, readerMail, type RenderedPost, renderPost, voiceOf } from "../outbox/mails.ts";
import { rows } from "../result.ts";

type Workspace = Previewed["workspace"];

/** The email of an unsent post, without a subscriber's links. */
export async function previewEmail(db: Database, env: Env, { workspace, release, content }: Previewed, to: string): Promise<Message> {
  const post = await renderPost(
    {
      ...release,
      details: release.details as Json,
      author_name: release.author_name ?? "",
      published_at: release.published_at.toISOString(),
      content_raw: content,
    },
    originBelow(env.publicUrl, workspace.subdomain),
    voiceOf({ appearance: appearanceRow(workspace) }),
  );
  return await readerEmail(db, env, workspace, { kind: "post", email: to }, [post]);
}

/** A digest of the newest posts, without a subscriber's links; null if none is published. */
export async function previewDigest(db: Database, env: Env, workspaceId: string, to: string): Promise<Message | null> {
  const columns = "id, slug, title, excerpt, tags, author_name, published_at, version, details";
  const published = db.from("posts").select(columns).eq("workspace_id", workspaceId).eq("status", "published");
  const [workspace, posts] = await Promise.all([
    findPublicWorkspace(db, workspaceId, env.mail !== null),
    rows(published.order("published_at", { ascending: false }).limit(5)),
  ]);
  const rendered = posts.map((post) => ({
    post: { ...post, author_name: post.author_name ?? "", published_at: post.published_at! },
    content: null,
  }));
  return posts.length === 0 ? null : await readerEmail(db, env, workspace, { kind: "digest", email: to }, rendered);
}

async function readerEmail(
  db: Database,
  { publicUrl, mail }: Env,
  workspace: Workspace,
  delivery: Pick<ReaderDelivery, "kind" | "email">,
  posts: readonly RenderedPost[],
): Promise<Message> {
  const { id, name, subdomain, logo_url, domain } = workspace;
  const sender = await rows(db.from("mail_settings").select("sender_name, reply_to").eq("workspace_id", id).maybeSingle());
  const complete = {
    ...{ ...delivery, id: crypto.randomUUID(), token: null, posts: posts.map(({ post }) => post.id), appearance: appearanceRow(workspace) },
    ...{ workspace_id: id, workspace_name: name, subdomain, logo_url, domain },
    ...{ sender_name: sender?.sender_name ?? null, reply_to: sender?.reply_to ?? null },
  };
  return readerMail(complete, posts, { publicUrl, from: mail?.from ?? "" });
}

const appearanceRow = ({ appearance }: Workspace) => ({
  settings: appearance,
  logo_dark_url: appearance.logo_dark_url,
  favicon_url: appearance.favicon_url,
});
