import { imageMaxBytes } from "#contract/limits.ts";
import { postEndpoints } from "#contract/posts.ts";
import { previewEndpoints } from "#contract/previews.ts";
import type { Database } from "../../_shared/clients.ts";
import { removeDiscardedFiles } from "../../_shared/discarded-files.ts";
import type { Env } from "../../_shared/env.ts";
import { AppError } from "../../_shared/errors.ts";
import type { Binder } from "../../_shared/handle.ts";
import { askToDraw } from "../../_shared/link-pictures.ts";
import { readAppearance } from "../appearance/queries.ts";
import { listThreads } from "../comments.ts";
import { requireImage } from "../images/image-file.ts";
import { rows } from "../result.ts";
import { requireContent, requireContentText } from "./content.ts";
import { presentPost } from "./presenter.ts";
import { previewOf, sendTestEmail } from "./preview.ts";
import { storeWorkspaceImage } from "../images/queries.ts";
import {
  archivePost,
  autosaveNewPost,
  autosavePost,
  createPost,
  currentVersion,
  findPost,
  linkRequests,
  listAuthors,
  listPosts,
  postsOf,
  purgePost,
  restorePost,
  savePost,
  searchPosts,
  undoArchive,
  upcomingPosts,
} from "./queries.ts";

export function bindPosts({ signedIn, file }: Binder): void {
  signedIn(postEndpoints.upcoming, async ({ db, query }) => {
    return { posts: await upcomingPosts(db, query.workspaceId) };
  });

  signedIn(postEndpoints.create, async ({ db, body, idempotencyKey }) => {
    const { blocks, html: _, autosave = false, ...fields } = body;
    const content = await requireContent(blocks, "blocks", autosave);
    const create = autosave ? autosaveNewPost : createPost;
    return { post: await presentPost(await create(db, { ...fields, content_raw: content }, idempotencyKey), content) };
  });

  signedIn(postEndpoints.read, async ({ db, params, query }) => {
    const [row, threads] = await Promise.all([findPost(db, params.id), query.threads ? listThreads(db, params.id) : undefined]);
    return { post: await presentPost(row), ...(threads && { threads }) };
  });

  signedIn(postEndpoints.linkRequests, async ({ db, params, body }) => {
    const { requests } = await linkRequests(db, params.id, body);
    return { requests };
  });

  signedIn(postEndpoints.update, async ({ db, params, body, idempotencyKey }) => {
    const { version, content_raw, content_md: _html, workspace_id: _workspace, autosave = false, ...fields } = body;
    const content = content_raw === undefined ? undefined : await requireContentText(content_raw, autosave);
    const save = autosave ? autosavePost : savePost;
    const saved = await save(db, params.id, { ...fields, content_raw: content }, version, idempotencyKey);
    return { post: await presentPost(saved, content) };
  });

  signedIn(postEndpoints.remove, async ({ db, params, query, body, env }) => {
    if (!(query.purge ?? body?.purge)) return { success: true as const, post: await archivePost(db, params.id) };
    await purgePost(db, params.id);
    await removeDiscardedFiles(env);
    return { success: true as const, post: null };
  });

  signedIn(postEndpoints.restore, async ({ db, params, body }) => {
    const restored = body?.version === undefined ? restorePost(db, params.id) : undoArchive(db, params.id, body.version);
    return { post: await presentPost(await restored) };
  });

  signedIn(postEndpoints.version, async ({ db, params, query }) => {
    return { isCurrent: (await currentVersion(db, params.id)) === query.version };
  });

  signedIn(postEndpoints.list, async ({ db, params, query }) => {
    if (query.ids) {
      const posts = await postsOf(db, params.workspaceId, query.ids);
      return { posts, pagination: { page: 1, pages: 1, total: posts.length } };
    }
    const { posts, total } = await listPosts(db, params.workspaceId, query);
    return {
      posts,
      pagination: { page: query.page, pages: Math.max(1, Math.ceil(total / query.limit)), total },
    };
  });

  signedIn(postEndpoints.search, async ({ db, params, query }) => {
    return { posts: await searchPosts(db, params.workspaceId, query.q, query.limit) };
  });

  signedIn(previewEndpoints.post, ({ db, env, user, params, body }) => previewOf(db, env, user.id, params.workspaceId, body));

  signedIn(previewEndpoints.testEmail, ({ db, env, user, params, body }) => sendTestEmail(db, env, user, params.workspaceId, body));

  signedIn(postEndpoints.authors, async ({ db, params }) => {
    return { authors: await listAuthors(db, params.workspaceId) };
  });

  file(previewEndpoints.picture, async ({ db, env, params, query }) => ({
    name: "link.png",
    content: await pictureOf(db, env, params.workspaceId, query),
  }));
  signedIn(postEndpoints.uploadImage, async ({ db, params, file }) => {
    const image = requireImage(file, imageMaxBytes, "File size must be less than 5MB");
    const url = await storeWorkspaceImage(db, "post-images", params.workspaceId, image);
    return { success: 1 as const, file: { url, ...image.size } };
  });
}

async function pictureOf(
  db: Database,
  env: Env,
  workspaceId: string,
  { title, published_at }: { title: string; published_at?: string | undefined },
): Promise<ArrayBuffer> {
  const [{ logo_url, logo_dark_url, ...appearance }, { name }] = await Promise.all([
    readAppearance(db, workspaceId),
    rows(db.from("workspaces").select("name").eq("id", workspaceId).single()),
  ]);
  const response = await askToDraw(env, {
    ...{ workspace_name: name, logo_url, logo_dark_url, appearance },
    ...{ title: title || "Untitled", published_at: published_at ?? new Date().toISOString() },
  }).catch(() => null);
  if (response?.ok) return await response.arrayBuffer();
  await response?.body?.cancel();
  throw new AppError("unavailable");
}
