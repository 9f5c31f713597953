import { Backups, type KeptSettings, type TakenRun } from "../../_shared/backups.ts";
import type { Env } from "../../_shared/env.ts";
import type { Job, Task } from "../../_shared/jobs.ts";
import { describeFault, log } from "../../_shared/log.ts";
import type { Network } from "../../_shared/outbound/network.ts";
import { retry } from "../../_shared/retry.ts";
import { Seal } from "../../_shared/seal.ts";
import { picturesOf } from "../exports/pictures.ts";
import { Bucket, BucketRefusal } from "./bucket.ts";
import { copiesOf, keyOf, outdated } from "./keys.ts";
import { isTooSlow } from "./minimum-speed.ts";
import { DamagedCopy } from "./zip.ts";

/** Heartbeat interval of a run. */
const aliveMs = 30_000;
/** Time limit of deleting old backups, so a slow service doesn't delay other workspaces. */
const tidyingMs = 45_000;

/** The lease was lost: another worker has the run, or it was cancelled. */
class RunLost extends Error {}

export async function bucketOf(
  env: Env,
  network: Network,
  seal: Seal,
  workspaceId: string,
  settings: KeptSettings,
): Promise<{ bucket: Bucket; passphrase: string | null }> {
  const secret = await seal.open(`${workspaceId} secret`, settings.sealed_secret);
  const passphrase = settings.sealed_passphrase === null ? null : await seal.open(`${workspaceId} passphrase`, settings.sealed_passphrase);
  if (secret === null) throw new BucketRefusal("secret", "The secret access key can't be read. Please enter it again");
  // Never falls back to an unencrypted backup.
  if (settings.sealed_passphrase !== null && passphrase === null)
    throw new BucketRefusal("secret", "The passphrase can't be read. Please enter it again");
  const { endpoint, region, bucket, key_id: keyId } = settings;
  return { bucket: new Bucket(network, { endpoint, region, bucket, keyId, secret }, { toPrivate: env.backupsToPrivate }), passphrase };
}

/** Makes backups. Few at once, to limit memory and CPU; enough that slow buckets don't delay others. */
export class BackupWorker implements Task {
  readonly concurrency = 4;
  readonly #env: Env;
  readonly #network: Network;
  readonly #backups: Backups;
  readonly #seal: Seal;

  constructor(env: Env, network: Network) {
    this.#env = env;
    this.#network = network;
    this.#backups = new Backups(env);
    this.#seal = new Seal(env, "backups");
  }

  async run(job: Job): Promise<"ended" | void> {
    const run = await this.#backups.take(job);
    if (run === null) return;
    let outcome: object;
    try {
      const { key, ...result } = await this.#copy(run);
      log({ event: "backup", workspace: run.workspace_id, ...result });
      outcome = { key, ...result };
    } catch (error) {
      if (error instanceof RunLost) return;
      const isTold = error instanceof BucketRefusal || error instanceof DamagedCopy;
      log({ event: "backup not made", workspace: run.workspace_id, reason: describeFault(error).message });
      // Errors in the settings don't resolve on retry.
      const isWorthRetrying = !(error instanceof BucketRefusal) || error.field === "endpoint";
      outcome = { problem: isTold ? error.message : "Something went wrong on our side", retry: isWorthRetrying };
    }
    await retry(() => this.#backups.end(run, outcome));
    return "ended";
  }

  async #copy(run: TakenRun): Promise<{ key: string; bytes: number; posts: number; images: number }> {
    const { bucket, passphrase } = await bucketOf(this.#env, this.#network, this.#seal, run.workspace_id, run);
    const now = new Date();
    const workspace = { id: run.workspace_id, name: run.name, subdomain: run.subdomain };
    const key = keyOf(workspace, now, passphrase !== null);
    const pictures = picturesOf(this.#env);
    const copied = { posts: 0, images: 0 };
    const { copyOf } = await import("./copy.ts");
    const plain = copyOf(
      {
        workspace,
        owner: run.owner,
        read: (part, after) => this.#backups.rows(run, part, after),
        picture: (name, path) => pictures(`/storage/v1/object/public/${name}/${path}`),
        seal: (hash) => this.#seal.close("copy", hash),
        now,
      },
      copied,
    );
    const living = this.#living(run, plain);
    const sent = passphrase === null ? living : await (await import("./age.ts")).closed(living, passphrase);
    const bytes = await bucket.write(key, sent);
    // Best effort: the backup itself succeeded.
    await this.#removeOld(bucket, run, now).catch((error: unknown) =>
      log({ event: "old backups not removed", reason: describeFault(error).message }),
    );
    return { key, bytes, ...copied };
  }

  async *#living(run: TakenRun, pieces: AsyncGenerator<Uint8Array, void>): AsyncGenerator<Uint8Array, void> {
    const began = Date.now();
    let renewedAt = began;
    let bytes = 0;
    for await (const piece of pieces) {
      bytes += piece.length;
      if (isTooSlow(bytes, Date.now() - began)) throw new BucketRefusal("endpoint", "The service is too slow");
      if (Date.now() - renewedAt > aliveMs) {
        if (!(await this.#backups.keep(run))) throw new RunLost();
        renewedAt = Date.now();
      }
      yield piece;
    }
    if (!(await this.#backups.keep(run))) throw new RunLost();
  }

  async #removeOld(bucket: Bucket, { workspace_id: id, keep_days: days }: TakenRun, now: Date): Promise<void> {
    const until = Date.now() + tidyingMs;
    const objects = await bucket.list(copiesOf(id), until);
    const keys = objects.map(({ key }) => key);
    for (const key of outdated(keys, days, now)) {
      if (Date.now() >= until) return;
      await bucket.remove(key);
    }
  }
}
