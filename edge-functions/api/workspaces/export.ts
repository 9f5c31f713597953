import { exportFormat } from "#contract/export-format.ts";
import { exportEndpoints, exportedLists, exportedObjects } from "#contract/workspace-export.ts";
import type { Binder } from "../../_shared/handle.ts";
import { exportPosts } from "../exports/export-posts.ts";
import { streamed } from "../exports/streamed.ts";
import { findSubdomain } from "./queries.ts";
import type { Database } from "../../_shared/clients.ts";
import type { Env } from "../../_shared/env.ts";
import { readRowsPage, type RowsPage } from "../../_shared/rows-page.ts";

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

const text = (words: string) => new TextEncoder().encode(words);

export async function exportWorkspace(env: Env, db: Database, workspaceId: string): Promise<ReadableStream<Uint8Array>> {
  const headers = { ...Object.fromEntries(new Headers(db.headers)), "content-type": "application/json" };
  return await streamed(documentOf((part, after) => readRowsPage(env, "export_rows", headers, { workspace_id: workspaceId, part, after })));
}

async function* documentOf(read: (part: Part, after: string | null) => Promise<RowsPage>): AsyncGenerator<Uint8Array, void> {
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
