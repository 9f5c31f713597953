import { z } from "zod";
import { id } from "#contract/fields.ts";
import { prefers } from "#contract/rules/prefers.ts";
import { externalId, v1PostEndpoints, type V1Post } from "#contract/v1/posts.ts";
import type { CleanedContent } from "#contract/blocks/schema.ts";
import type { Database } from "../../_shared/clients.ts";
import type { Env } from "../../_shared/env.ts";
import { AppError } from "../../_shared/errors.ts";
import type { Binder } from "../../_shared/handle.ts";
import { OverrideResponse, type Reply } from "../../_shared/reply.ts";
import { findPost, linkRequests, type PostRow, savePost } from "../posts/queries.ts";
import { type PublicPlace, readPlace } from "../public-place.ts";
import { json, rows } from "../result.ts";
import { withKeysOfTags } from "../tags.ts";
import { etagOf, ifMatch, isKnown, onlyNew } from "./conditions.ts";
import { contentOf } from "./content.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { markdownFile, presentListed, presentPost, type ShownRow, withDetails } from "./presenter.ts";

interface Caller {
  db: Database;
  env: Env;
  headers: Headers;
  reply: Reply;
}

export function bindV1Posts({ withKey }: Binder): void {
  withKey(v1PostEndpoints.list, async ({ db, key, query: { cursor, limit, total: asked, ...filter }, env }) => {
    const counted = asked === "true" ? { ...filter, total: true } : filter;
    const { posts, place, next_cursor, total } = await readPiece(db, key.workspaceId, counted, limit, cursor);
    return { posts: posts.map((row) => presentListed(row, place, env.publicUrl)), next_cursor, total: total ?? undefined };
  });

  withKey(v1PostEndpoints.create, async ({ key, body: { markdown, blocks, tags, ...fields }, idempotencyKey, ...caller }) => {
    const { db, env } = caller;
    const content = await contentOf({ markdown, blocks }, env.publicUrl);
    const draftRow = await withKeysOfTags({ db, key }, tags, (keys) => {
      const post = { workspace_id: key.workspaceId, ...withDetails(fields), content_raw: content, tags: keys };
      return rows(db.rpc("create_post", { ...post, idempotency_key: idempotencyKey }));
    });
    return await answer(caller, draftRow, content);
  });

  withKey(v1PostEndpoints.put, async ({ key, params, body: { markdown, blocks, tags, ...fields }, ...caller }) => {
    const { db, env, headers, reply } = caller;
    const externalKey = { workspace_id: key.workspaceId, external_id: requireName(params.externalId) };
    const conditions = { expected_version: ifMatch(headers) ?? null, only_new: onlyNew(headers) };
    const content = await contentOf({ markdown, blocks }, env.publicUrl);
    const { created, post } = await withKeysOfTags({ db, key }, tags, (keys) => {
      const sent = { ...withDetails(fields), content_raw: content, tags: keys };
      const saved = json<{ created: boolean; post: PostRow }>(db.rpc("put_post", { ...externalKey, ...conditions, post: sent }));
      return saved.catch((error: unknown) => lacking(error, blocks === undefined ? "markdown" : "blocks"));
    });
    if (created) reply.status = 201;
    return await answer(caller, post, content);
  });

  withKey(v1PostEndpoints.read, async ({ params, ...caller }) => {
    return await read(caller, await findPost(caller.db, params.id));
  });

  withKey(v1PostEndpoints.readByExternalId, async ({ key, params, ...caller }) => {
    const externalKey = { workspace_id: key.workspaceId, external_id: requireName(params.externalId) };
    return await read(caller, await rows(caller.db.rpc("read_post", externalKey)));
  });

  withKey(v1PostEndpoints.change, async ({ key, params, body: { markdown, blocks, tags, ...fields }, idempotencyKey, ...caller }) => {
    const { db, env, headers } = caller;
    const expected = ifMatch(headers);
    const content = await contentOf({ markdown, blocks }, env.publicUrl);
    const saved = await withKeysOfTags({ db, key }, tags, (keys) =>
      savePost(db, params.id, { ...withDetails(fields), content_raw: content, tags: keys }, expected, idempotencyKey),
    );
    return await answer(caller, saved, content);
  });

  withKey(v1PostEndpoints.publish, async ({ params, body, idempotencyKey, ...caller }) => {
    const patch = { status: "published" as const, notify: body?.notify };
    return await answer(caller, await savePost(caller.db, params.id, patch, ifMatch(caller.headers), idempotencyKey));
  });

  withKey(v1PostEndpoints.schedule, async ({ params, body, idempotencyKey, ...caller }) => {
    const patch = { status: "scheduled" as const, ...body };
    return await answer(caller, await savePost(caller.db, params.id, patch, ifMatch(caller.headers), idempotencyKey));
  });

  withKey(v1PostEndpoints.archive, async ({ params, idempotencyKey, ...caller }) => {
    const patch = { status: "archived" as const };
    return await answer(caller, await savePost(caller.db, params.id, patch, ifMatch(caller.headers), idempotencyKey));
  });

  withKey(v1PostEndpoints.linkRequests, async ({ params, body, ...caller }) => {
    return await answer(caller, await linkRequests(caller.db, params.id, body));
  });

  withKey(v1PostEndpoints.remove, async ({ db, params }) => {
    await rows(db.rpc("delete_draft", { post_id: params.id }));
    return { success: true as const };
  });
}

const endOfPiece = z.strictObject({ at: z.iso.datetime({ offset: true }), id });

interface Piece {
  posts: ShownRow[];
  next: z.infer<typeof endOfPiece> | null;
  address: PublicPlace;
  total: number | null;
}

export async function readPiece(db: Database, workspaceId: string, filter: object, size: number, cursor: string | undefined) {
  const args = { workspace_id: workspaceId, filter, after: readCursor(cursor, endOfPiece) ?? null, size };
  const { posts, next, address, total } = await json<Piece>(db.rpc("posts_after", args));
  return { posts, place: address, total, next_cursor: next && writeCursor(next) };
}

type Form = "application/json" | "text/markdown";

async function answer({ db, env, reply }: Omit<Caller, "headers">, row: PostRow, content?: CleanedContent): Promise<{ post: V1Post }> {
  const place = await readPlace(db, row.workspace_id);
  reply.headers.etag = await etagIn("application/json", row, place, env.publicUrl);
  return { post: await presentPost(row, place, env.publicUrl, content) };
}

async function read({ db, env, headers, reply }: Caller, row: PostRow): Promise<{ post: V1Post } | OverrideResponse> {
  const form = prefers(headers.get("accept"), "text/markdown", "application/json") ? "text/markdown" : "application/json";
  const place = await readPlace(db, row.workspace_id);
  const etag = await etagIn(form, row, place, env.publicUrl);
  Object.assign(reply.headers, { vary: "accept", etag });
  if (isKnown(headers, etag)) return new OverrideResponse(304, null);
  const post = await presentPost(row, place, env.publicUrl);
  return form === "text/markdown" ? new OverrideResponse(200, markdownFile(post), "text/markdown; charset=utf-8") : { post };
}

/** Everything that changes without a new version: URL, visibility, due status, tag names, requests. */
function etagIn(form: Form, row: PostRow, place: PublicPlace, publicUrl: string): Promise<string> {
  const { url, status, tags } = presentListed(row, place, publicUrl);
  return etagOf(row.version, [form, publicUrl, url, status, tags, row.requests]);
}

/** Maps the database's missing-content error to the request's field. */
function lacking(error: unknown, field: "markdown" | "blocks"): never {
  const { content_raw: sentence, ...others } = (error instanceof AppError && error.details.fields) || {};
  if (sentence === undefined) throw error;
  throw new AppError("validation_failed", { fields: { ...others, [field]: sentence }, cause: error });
}

function requireName(name: string): string {
  const parsed = externalId.safeParse(name);
  if (parsed.success) return parsed.data;
  throw new AppError("validation_failed", { fields: { externalId: parsed.error.issues[0]!.message } });
}
