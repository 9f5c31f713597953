import type { z } from "zod";
import { type Backup, backupEndpoints, type backupInput, type BackupRun } from "#contract/backups.ts";
import { Backups } from "../../_shared/backups.ts";
import type { Database } from "../../_shared/clients.ts";
import type { Env } from "../../_shared/env.ts";
import { AppError } from "../../_shared/errors.ts";
import type { Binder } from "../../_shared/handle.ts";
import type { JobWorker } from "../../_shared/jobs.ts";
import type { Network } from "../../_shared/outbound/network.ts";
import { Seal } from "../../_shared/seal.ts";
import { json, rows } from "../result.ts";
import { WrongPassphrase } from "./age.ts";
import { Bucket, BucketRefusal, regionOf } from "./bucket.ts";
import { copiesOf, everyCopy, readKey } from "./keys.ts";
import { cannotBePutBack, piecesOf, restoreCopy } from "./restore.ts";
import { bucketOf } from "./worker.ts";
import { DamagedCopy } from "./zip.ts";

const shownCopies = 1_000;

export function bindBackups({ signedIn }: Binder, env: Env, network: Network, jobs: JobWorker): void {
  const backups = new Backups(env);
  const seal = new Seal(env, "backups");

  const bucketOfWorkspace = async (db: Database, workspaceId: string) => {
    await rows(db.rpc("require_backup", { workspace_id: workspaceId })); // checks the role before any request to the bucket
    const current = await backups.settings(workspaceId);
    if (current === null) throw refused("endpoint", "Please set the backup destination first");
    return await bucketOf(env, network, seal, workspaceId, current);
  };

  signedIn(backupEndpoints.get, ({ db, params: { workspaceId } }) => json<Backup>(db.rpc("read_backup", { workspace_id: workspaceId })));

  signedIn(backupEndpoints.put, async ({ db, params: { workspaceId }, body }) => {
    await rows(db.rpc("require_backup", { workspace_id: workspaceId }));
    const { secret, ...settings } = await completed(workspaceId, body);
    await explained(() =>
      tryOut(new Bucket(network, { ...settings, keyId: body.key_id, secret }, { toPrivate: env.backupsToPrivate }), workspaceId),
    );
    const changes = {
      ...settings,
      key_id: body.key_id,
      keep_days: body.keep_days,
      ...(body.secret !== undefined && { sealed_secret: await seal.close(`${workspaceId} secret`, body.secret) }),
      ...(body.passphrase !== undefined && {
        sealed_passphrase: body.passphrase === null ? null : await seal.close(`${workspaceId} passphrase`, body.passphrase),
      }),
    };
    return await json<Backup>(db.rpc("save_backup", { workspace_id: workspaceId, settings: changes }));
  });

  /** Fills absent fields with stored ones. A stored secret is never sent to another service. */
  async function completed(workspaceId: string, { endpoint, region, bucket, key_id, secret }: z.output<typeof backupInput>) {
    const settings = { endpoint: plainEndpoint(endpoint), region: (region ?? regionOf(endpoint)).toLowerCase(), bucket };
    if (secret !== undefined) return { ...settings, secret };
    const stored = await backups.settings(workspaceId);
    const opened = stored === null ? null : await seal.open(`${workspaceId} secret`, stored.sealed_secret);
    if (opened === null || stored?.endpoint !== settings.endpoint || stored.key_id !== key_id)
      throw refused(
        "secret",
        stored === null || opened === null ? "Please enter the secret access key" : "Please enter the secret access key again",
      );
    return { ...settings, secret: opened };
  }

  signedIn(backupEndpoints.remove, async ({ db, params: { workspaceId } }) => {
    await rows(db.rpc("remove_backup", { workspace_id: workspaceId }));
    return { success: true as const };
  });

  signedIn(backupEndpoints.run, async ({ db, params: { workspaceId } }) => {
    const answer = await json<{ run: BackupRun }>(db.rpc("run_backup", { workspace_id: workspaceId }));
    void jobs.wake();
    return answer;
  });

  signedIn(backupEndpoints.copies, async ({ db, params: { workspaceId } }) => {
    const stored = await explained(async () => await (await bucketOfWorkspace(db, workspaceId)).bucket.list(everyCopy));
    const copies = stored.flatMap(({ key, bytes }) => {
      const read = readKey(key);
      return read ? [{ key, bytes, made_at: read.madeAt.toISOString() }] : [];
    });
    return { copies: copies.sort((a, b) => b.made_at.localeCompare(a.made_at)).slice(0, shownCopies) };
  });

  signedIn(backupEndpoints.restore, async ({ db, user, params: { workspaceId }, body, idempotencyKey }) => {
    await rows(db.rpc("require_backup", { workspace_id: workspaceId }));
    const read = readKey(body.key);
    if (read === null) throw refused("key", "Please choose a backup");
    let createdId: string | null = null;
    try {
      const { bucket, passphrase } = await bucketOfWorkspace(db, workspaceId);
      const opening = body.passphrase ?? passphrase;
      if (read.isClosed && !opening) throw refused("passphrase", "Please enter the passphrase of this backup");
      const stored = piecesOf(bucket, body.key);
      const plain = read.isClosed ? await (await import("./age.ts")).opened(stored, opening!) : stored;
      const begin = async (sourceId: string): Promise<string> => {
        const args = { workspace_id: workspaceId, source_id: sourceId, key: body.key, name: body.name, subdomain: body.subdomain };
        const begun = await json<{ workspace_id: string; state: "new" | "running" | "done" }>(
          db.rpc("begin_restore", { ...args, ...(idempotencyKey !== null && { idempotency_key: idempotencyKey }) }),
        );
        if (begun.state === "done") throw new Done(begun.workspace_id);
        if (begun.state === "running") throw new AppError("unavailable", { retryAfter: 10 });
        return (createdId = begun.workspace_id);
      };
      const leftOut = await restoreCopy(backups, plain, begin, (closed) => seal.open("copy", closed), user.id);
      return { workspace_id: createdId!, left_out: leftOut };
    } catch (error) {
      if (error instanceof Done) return { workspace_id: error.workspaceId, left_out: 0 };
      if (createdId !== null) await backups.dropRestore(createdId).catch(() => {}); // cron retries
      throw cannotBePutBack(error) ? refused("key", "The backup has content that can't be restored") : bucketProblem(error);
    }
  });
}

class Done extends Error {
  readonly workspaceId: string;
  constructor(workspaceId: string) {
    super();
    this.workspaceId = workspaceId;
  }
}

/** Checks all permissions with a test file that is removed again. */
async function tryOut(bucket: Bucket, workspaceId: string): Promise<void> {
  const key = `${copiesOf(workspaceId)}test`;
  const text = `Tidings tested write access at ${new Date().toISOString()}.\n`;
  await bucket.put(key, new TextEncoder().encode(text));
  await bucket.list(copiesOf(workspaceId));
  const { bytes } = await bucket.read(key, 0);
  if (new TextDecoder().decode(bytes) !== text) throw new BucketRefusal("endpoint", "This server isn't an S3 service");
  await bucket.remove(key);
}

function plainEndpoint(endpoint: string): string {
  const { origin, pathname } = new URL(endpoint);
  return origin + pathname.replace(/\/+$/, "");
}

const refused = (field: string, sentence: string) => new AppError("validation_failed", { fields: { [field]: sentence } });

function bucketProblem(error: unknown): unknown {
  if (error instanceof BucketRefusal) return refused(error.field, error.message);
  if (error instanceof WrongPassphrase) return refused("passphrase", "Wrong passphrase for this backup");
  if (error instanceof DamagedCopy) return refused("key", error.message);
  return error;
}

async function explained<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw bucketProblem(error);
  }
}
