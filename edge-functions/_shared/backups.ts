import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database, Json } from "#contract/database.ts";
import { type DatabaseError, fromDatabase } from "./backend-errors.ts";
import { serviceClient } from "./clients.ts";
import type { Env } from "./env.ts";
import { AppError } from "./errors.ts";
import type { Job } from "./jobs.ts";
import { readRowsPage, type RowsPage } from "./rows-page.ts";

export interface KeptSettings {
  endpoint: string;
  region: string;
  bucket: string;
  key_id: string;
  sealed_secret: string;
  sealed_passphrase: string | null;
  keep_days: number;
}

export interface TakenRun extends KeptSettings {
  run: string;
  lease: string;
  workspace_id: string;
  name: string;
  subdomain: string;
  owner: string;
}

/**
 * Backups with the service role (supabase/schemas/87-backups.sql), because users can't read the bucket secrets. Callers check
 * permissions.
 */
export class Backups {
  readonly #service: SupabaseClient<Database>;
  readonly #env: Env;

  constructor(env: Env) {
    this.#env = env;
    this.#service = serviceClient(env);
  }

  /** Null if there is nothing to do. */
  async take({ id: run, attempt, lease }: Job): Promise<TakenRun | null> {
    const settings = (await this.#service.rpc("backup_to_make", { run, attempt }).throwOnError()).data as Omit<
      TakenRun,
      "run" | "lease"
    > | null;
    return settings && { ...settings, run, lease };
  }

  /** Renews the lease; false if it was lost. */
  async keep({ run, lease }: TakenRun): Promise<boolean> {
    return (await this.#service.rpc("keep_backup", { run, lease }).throwOnError()).data !== null;
  }

  async end({ run, lease }: TakenRun, outcome: object): Promise<void> {
    await this.#service.rpc("end_backup", { run, lease, outcome: outcome as Json }).throwOnError();
  }

  rows({ run, lease }: TakenRun, part: string, after: string | null): Promise<RowsPage> {
    const { secretKey } = this.#env;
    const headers = { apikey: secretKey, authorization: `Bearer ${secretKey}`, "content-type": "application/json" };
    return readRowsPage(this.#env, "backup_rows", headers, { run, lease, part, after });
  }

  async settings(workspaceId: string): Promise<KeptSettings | null> {
    return (await this.#service.rpc("backup_settings", { workspace_id: workspaceId }).throwOnError()).data as KeptSettings | null;
  }

  async restoreRows(workspaceId: string, part: string, rows: readonly unknown[]): Promise<void> {
    await this.#done(this.#service.rpc("restore_rows", { workspace_id: workspaceId, part, rows: rows as Json }));
  }

  /** Renews the restore's lease. */
  async keepRestore(workspaceId: string): Promise<void> {
    await this.restoreRows(workspaceId, "tags", []);
  }

  async restoreObjects(workspaceId: string, document: object): Promise<void> {
    await this.#done(this.#service.rpc("restore_objects", { workspace_id: workspaceId, document: document as Json }));
  }

  async restoreFile(bucket: string, path: string, bytes: Uint8Array, contentType: string): Promise<void> {
    const { error } = await this.#service.storage.from(bucket).upload(path, bytes, { contentType, cacheControl: "31536000" });
    if (error) throw new AppError("unavailable", { retryAfter: 5, cause: error });
  }

  async finishRestore(workspaceId: string, ours: boolean): Promise<void> {
    await this.#done(this.#service.rpc("finish_restore", { workspace_id: workspaceId, ours }));
  }

  async dropRestore(workspaceId: string): Promise<void> {
    await this.#service.rpc("drop_restore", { workspace_id: workspaceId }).throwOnError();
  }

  async #done(call: PromiseLike<{ error: DatabaseError | null; status: number }>): Promise<void> {
    const { error, status } = await call;
    if (error) throw fromDatabase(error, status);
  }
}
