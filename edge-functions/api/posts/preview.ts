import type { z } from "zod";
import { boundsProblem } from "#contract/blocks/bounds.ts";
import { excerpt } from "#contract/blocks/excerpt.ts";
import { cleanBlocks } from "#contract/blocks/clean.ts";
import { writers } from "#contract/kinds.ts";
import type { PostPreview, previewInput } from "#contract/previews.ts";
import { slug } from "#contract/rules/slug.ts";
import type { SentEmail } from "#contract/subscribers.ts";
import type { Tag } from "#contract/tags.ts";
import type { Database } from "../../_shared/clients.ts";
import type { Env } from "../../_shared/env.ts";
import { AppError } from "../../_shared/errors.ts";
import { sendMail } from "../../_shared/mail.ts";
import { originBelow } from "../../_shared/public-origin.ts";
import type { Identity } from "../../_shared/tokens.ts";
import type { Previewed } from "../../releases/preview.tsx";
import { json, rows } from "../result.ts";
import { findPublicWorkspace } from "../appearance/public-workspace.ts";
import { requireRole } from "../workspaces/queries.ts";
import { previewEmail } from "./preview-email.ts";
import { findPost, type PostRow } from "./queries.ts";

type Draft = z.output<typeof previewInput>;

/** Renders the editor's state, read as the caller. Nothing is stored. */
export async function previewOf(db: Database, env: Env, userId: string, workspaceId: string, draft: Draft): Promise<PostPreview> {
  const previewed = await readDraft(db, env, userId, workspaceId, draft);
  const { renderPreview } = await import("../../releases/preview.tsx");
  const [preview, { subject, html }] = await Promise.all([renderPreview(previewed), previewEmail(db, env, previewed, "")]);
  const origin = originBelow(env.publicUrl, previewed.workspace.subdomain);
  const sameOrigin = html.replaceAll(`${origin}/storage/`, "/storage/"); // the app's content security policy allows no other images
  return { ...preview, email: { subject, html: sameOrigin } };
}

/** Emails the editor's state to the caller as subscribers would get it. */
export async function sendTestEmail(db: Database, env: Env, user: Identity, workspaceId: string, draft: Draft): Promise<SentEmail> {
  await requireRole(db, workspaceId, writers);
  const previewed = await readDraft(db, env, user.id, workspaceId, draft);
  const message = await previewEmail(db, env, previewed, user.email);
  return { sent: await sendMail(env, { ...message, subject: `[Test] ${message.subject}` }), to: user.email };
}

async function readDraft(db: Database, env: Env, userId: string, workspaceId: string, draft: Draft): Promise<Previewed> {
  const problem = boundsProblem(draft.blocks);
  if (problem !== null) throw new AppError("validation_failed", { fields: { blocks: problem } });
  const now = new Date();
  const [workspace, { tags }, post, me] = await Promise.all([
    findPublicWorkspace(db, workspaceId, env.mail !== null),
    json<{ tags: Tag[] }>(db.rpc("list_tags", { workspace_id: workspaceId })),
    draft.post_id === undefined ? null : findPost(db, draft.post_id),
    rows(db.from("profiles").select("full_name").eq("user_id", userId).single()),
  ]);
  if (post !== null && post.workspace_id !== workspaceId) throw new AppError("not_found");
  const at = draft.published_at === undefined ? dateOf(post, now) : new Date(draft.published_at);
  const [content, neighbours] = await Promise.all([cleanBlocks(draft.blocks), neighboursOf(db, workspaceId, post?.id, at)]);
  const title = draft.title || "Untitled";
  const release = {
    id: post?.id ?? workspaceId,
    slug: post === null || (post.status === "draft" && post.published_at === null) ? slug(title) : post.slug,
    title,
    excerpt: draft.summary || excerpt(content),
    tags: draft.tags ?? [],
    author_name: draft.author !== undefined ? draft.author : post === null ? me.full_name : post.author_name,
    published_at: at,
    updated_at: now,
    version: post?.version ?? 1,
    cover_image: draft.cover_image ?? null,
    details: draft.details ?? null,
  };
  return { publicUrl: env.publicUrl, workspace, release, content, neighbours, tags, now };
}

function dateOf(post: PostRow | null, now: Date): Date {
  const time = post?.published_at ?? (post?.status === "scheduled" ? post.publish_at : null);
  return time === null || time === undefined ? now : new Date(time);
}

async function neighboursOf(db: Database, workspaceId: string, postId: string | undefined, at: Date) {
  const published = () => {
    const others = db.from("posts").select("slug, title").eq("workspace_id", workspaceId).eq("status", "published");
    return postId === undefined ? others : others.neq("id", postId);
  };
  const [[older = null], [newer = null]] = await Promise.all([
    rows(published().lt("published_at", at.toISOString()).order("published_at", { ascending: false }).limit(1)),
    rows(published().gt("published_at", at.toISOString()).order("published_at").limit(1)),
  ]);
  return { older, newer };
}
