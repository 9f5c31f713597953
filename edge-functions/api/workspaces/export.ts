import { exportFormat } from "#contract/export-format.ts";
import { exportEndpoints, exportedLists, exportedObjects } from "#contract/workspace-export.ts";
import type { Binder } from "../../_shared/handle.ts";
import { exportPosts } from "../exports/export-posts.ts";
import { streamed } from "../exports/streamed.ts";
import { findSubdomain } from "./queries.ts";
import { fromDatabase, type DatabaseError } from "../../_shared/backend-errors.ts";
import type { Database } from "../../_shared/clients.ts";
import type { Env } from "../../_shared/env.ts";
import { AppError } from "../../_shared/errors.ts";

export function bindExport({ file }: Binder): void {
  file(exportEndpoints.workspace, async ({ db, env, params, query: { format } }) => {
    if (format !== "json") return await exportPosts(env, db, params.workspaceId, format);
    const subdomain = await findSubdomain(db, params.workspaceId);
    const day = new Date().toISOString().slice(0, 10);
    return { name: `tidings-${subdomain}-${day}.json`, content: await exportWorkspace(env, db, params.workspaceId) };
  });
}

/** Parts exceed a single response, so they're paged. */
type Part = (typeof exportedObjects)[number] | (typeof exportedLists)[number];

/** `rows`: comma-separated JSON; `next` null at the end. */
interface Page {
  rows: Uint8Array;
  next: string | null;
}

const text = (words: string) => new TextEncoder().encode(words);

export async function exportWorkspace(env: Env, db: Database, workspaceId: string): Promise<ReadableStream<Uint8Array>> {
  return await streamed(documentOf((part, after) => readPage(env, db, { workspace_id: workspaceId, part, after })));
}

async function* documentOf(read: (part: Part, after: string | null) => Promise<Page>): AsyncGenerator<Uint8Array, void> {
  const objects = [];
  for (const part of exportedObjects) objects.push(text(`,"${part}":`), orEmpty((await read(part, null)).rows));
  yield text(`{"format":"${exportFormat}","exported_at":"${new Date().toISOString()}"`);
  yield* objects;
  for (const part of exportedLists) {
    let page = await read(part, null);
    yield text(`,"${part}":[`);
    yield page.rows;
    while (page.next !== null) {
      page = await read(part, page.next);
      if (page.rows.length > 0) yield* [text(","), page.rows];
    }
    yield text("]");
  }
  yield text("}");
}

const orEmpty = (rows: Uint8Array): Uint8Array => (rows.length > 0 ? rows : text("{}"));

/** Bypasses supabase-js, which would parse the rows. */
async function readPage(env: Env, db: Database, args: { workspace_id: string; part: Part; after: string | null }): Promise<Page> {
  const headers = new Headers(db.headers);
  headers.set("content-type", "application/json");
  const answer = await fetch(`${env.supabaseUrl}/rest/v1/rpc/export_rows`, {
    method: "POST",
    headers,
    body: JSON.stringify(args),
  }).catch((cause: unknown) => {
    throw new AppError("unavailable", { retryAfter: 1, cause });
  });
  if (!answer.ok) throw fromDatabase((await answer.json().catch(() => ({ code: "", message: "" }))) as DatabaseError, answer.status);
  const list = new Uint8Array(await answer.arrayBuffer());
  return {
    rows: list.subarray(list.indexOf(openingBracket) + 1, list.lastIndexOf(closingBracket)),
    next: answer.headers.get("x-next-rows"),
  };
}

const openingBracket = "[".charCodeAt(0);
const closingBracket = "]".charCodeAt(0);
