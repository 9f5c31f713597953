import type { z } from "zod";
import type { Json } from "#contract/database.ts";
import type { importEndpoints } from "#contract/imports.ts";
import type { Database } from "../../_shared/clients.ts";
import { json } from "../result.ts";
import type { KeptImage } from "./images.ts";
import type { PreparedEntry } from "./entries.ts";

type Input<Name extends keyof typeof importEndpoints> = z.output<Exclude<(typeof importEndpoints)[Name]["body"], undefined>>;
type Answer<Name extends keyof typeof importEndpoints> = z.input<(typeof importEndpoints)[Name]["response"]>;

export const beginImport = (db: Database, workspaceId: string, { source, name, total }: Input<"begin">, key: string | null) =>
  json<Answer<"begin">>(db.rpc("begin_import", { workspace_id: workspaceId, source, name, total, idempotency_key: key }));

export const listImports = (db: Database, workspaceId: string) =>
  json<Answer<"list">>(db.rpc("list_imports", { workspace_id: workspaceId }));

export const readImport = (db: Database, workspaceId: string, id: string) =>
  json<Answer<"read">>(db.rpc("read_import", { workspace_id: workspaceId, import_id: id }));

export const writeEntries = (db: Database, workspaceId: string, id: string, entries: readonly PreparedEntry[]) =>
  json<Answer<"write">>(db.rpc("write_entries", { workspace_id: workspaceId, import_id: id, entries: entries as unknown as Json }));

export const undoImport = (db: Database, workspaceId: string, id: string) =>
  json<Answer<"undo">>(db.rpc("undo_import", { workspace_id: workspaceId, import_id: id }));

export const compareEntries = (db: Database, workspaceId: string, entries: Input<"compare">["entries"]) =>
  json<Answer<"compare">>(db.rpc("compare_entries", { workspace_id: workspaceId, entries }));

export const keptImage = (db: Database, workspaceId: string, id: string, url: string) =>
  json<KeptImage | { problem: string } | null>(db.rpc("keep_import_image", { workspace_id: workspaceId, import_id: id, url }));

export const keepImage = (db: Database, workspaceId: string, id: string, url: string, image: KeptImage) =>
  json<KeptImage>(db.rpc("keep_import_image", { workspace_id: workspaceId, import_id: id, url, kept: image as unknown as Json }));
