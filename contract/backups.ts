import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { id, line, success, time } from "./fields.ts";
import { subdomain } from "./workspaces.ts";
import { workspaceNameMaxLength } from "./limits.ts";

export const keepDaysMax = 365;
const addressSentence = "Please enter the URL of an S3 service, such as https://s3.eu-central-1.amazonaws.com";
const daysSentence = `Please enter a number of days from 1 to ${keepDaysMax}`;

/** `secret` and `passphrase` are stored encrypted and never returned. */
export const backupInput = z.object({
  endpoint: z
    .string({ error: addressSentence })
    .trim()
    .max(2_048, { error: addressSentence })
    .refine((url) => /^https?:\/\/[^/\s?#]/i.test(url) && URL.canParse(url), { error: addressSentence }),
  region: z
    .string()
    .trim()
    .regex(/^[a-z0-9-]{1,60}$/i, { error: "Please enter a region such as eu-central-1" })
    .optional(),
  bucket: z
    .string({ error: "Please enter the bucket's name" })
    .trim()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, {
      error: "A bucket name has 3 to 63 lowercase letters, digits, dots and hyphens",
    }),
  key_id: line("Please enter the access key ID", 256),
  secret: line("Please enter the secret access key", 1_024).optional(),
  passphrase: z
    .string()
    .min(8, { error: "Please use at least 8 characters" })
    .max(1_024, { error: "Please use at most 1,024 characters" })
    .nullable()
    .optional(),
  keep_days: z.int({ error: daysSentence }).min(1, { error: daysSentence }).max(keepDaysMax, { error: daysSentence }),
});

/** `problem`: an error message without addresses and secrets. `bytes`, `posts`, `images` describe the copy. */
export const backupRun = z.object({
  id,
  started_at: time,
  ended_at: time.nullable(),
  state: z.enum(["running", "done", "failed"]),
  key: z.string().nullable(),
  bytes: z.int().nullable(),
  posts: z.int().nullable(),
  images: z.int().nullable(),
  problem: z.string().nullable(),
});
export type BackupRun = z.infer<typeof backupRun>;

export const backup = z.object({
  settings: z
    .object({
      endpoint: z.string(),
      region: z.string(),
      bucket: z.string(),
      key_id: z.string(),
      encrypted: z.boolean(),
      keep_days: z.int(),
      next_at: time.nullable(),
    })
    .nullable(),
  runs: z.array(backupRun),
});
export type Backup = z.infer<typeof backup>;

export const restoreInput = z.object({
  key: z.string().min(1).max(1_024),
  name: line("Please enter a name", workspaceNameMaxLength),
  subdomain,
  passphrase: z.string().max(1_024).optional(),
});

const path = "/api/workspaces/{workspaceId}/backup";
const owner = ["owner"] as const;
const errors = ["add_on_required"] as const;

export const backupEndpoints = {
  get: endpoint(`GET ${path}`, {
    summary: "Read the backup destination and the latest runs",
    access: owner,
    response: backup,
  }),
  put: endpoint(`PUT ${path}`, {
    summary: "Set the backup destination; the bucket is tested first (add-on backup)",
    access: owner,
    limit: "bucket",
    body: backupInput,
    response: backup,
    errors,
  }),
  remove: endpoint(`DELETE ${path}`, {
    summary: "Turn backups off; existing copies stay in the bucket",
    access: owner,
    response: success,
  }),
  run: endpoint(`POST ${path}/run`, {
    summary: "Run a backup now",
    access: owner,
    limit: "bucket",
    response: z.object({ run: backupRun }),
    errors,
  }),
  copies: endpoint(`GET ${path}/copies`, {
    summary: "List the copies in the bucket, newest first",
    access: owner,
    limit: "bucket",
    response: z.object({ copies: z.array(z.object({ key: z.string(), bytes: z.int(), made_at: time })) }),
    errors,
  }),
  restore: endpoint(`POST ${path}/restore`, {
    summary: "Restore a copy into a new workspace owned by the caller",
    access: owner,
    limit: "restore",
    idempotent: true,
    body: restoreInput,
    status: 201,
    /** `left_out`: images that an upload wouldn't allow; 0 on a repeated request. */
    response: z.object({ workspace_id: id, left_out: z.int() }),
    errors: ["add_on_required", "subdomain_taken", "subdomain_reserved"],
  }),
} as const;
