import { useState } from "react";
import { z } from "zod";
import { type Backup, backupInput, keepDaysMax } from "#contract/backups.ts";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/checkbox.tsx";
import { ContractForm } from "../../components/contract-form.tsx";
import { TextField } from "../../components/text-field.tsx";
import css from "./backup.module.css";

const blank = <Schema extends z.ZodType>(schema: Schema) => z.preprocess((typed) => (typed === "" ? undefined : typed), schema);
const daysSentence = `Please enter a number of days from 1 to ${keepDaysMax}`;

/** What is typed: a field that is left empty is not named, and a number comes as text. */
const typedBackup = backupInput.extend({
  region: blank(backupInput.shape.region),
  secret: blank(backupInput.shape.secret),
  passphrase: blank(backupInput.shape.passphrase),
  keep_days: z
    .string({ error: daysSentence })
    .trim()
    .regex(/^\d{1,3}$/, { error: daysSentence })
    .transform(Number)
    .pipe(backupInput.shape.keep_days),
});

/** The first time no secret is kept yet. */
const firstBackup = typedBackup.extend({ secret: backupInput.shape.secret.unwrap() });

interface BackupFormProps {
  settings: Backup["settings"];
  save: (body: z.input<typeof backupInput>) => Promise<void>;
  /** Absent: there is nothing to go back to. */
  onClose?: (() => void) | undefined;
}

/** Where the copies go. Secrets are typed in and never shown again. */
export function BackupForm({ settings, save, onClose }: BackupFormProps) {
  const [open, setOpen] = useState(false);
  const [initial] = useState({
    ...(settings && { endpoint: settings.endpoint, region: settings.region, bucket: settings.bucket, key_id: settings.key_id }),
    keep_days: String(settings?.keep_days ?? 30),
  });
  const kept = settings === null ? undefined : "Leave it empty to keep the one that is there.";
  return (
    <ContractForm
      schema={settings === null ? firstBackup : typedBackup}
      initialValues={initial}
      failure="This was not saved. Please try again."
      onSubmit={async (typed) => {
        await save({ ...typed, ...(open && { passphrase: null }) });
        onClose?.();
      }}
    >
      {({ submitting }) => (
        <>
          <TextField
            name="endpoint"
            label="Service"
            type="url"
            placeholder="https://s3.eu-central-1.amazonaws.com"
            hint="The https address of any service that speaks S3: Amazon, Backblaze, Cloudflare R2, Hetzner, your own."
            autoComplete="off"
            autoFocus={onClose !== undefined}
          />
          <div className={css.pair}>
            <TextField name="bucket" label="Bucket" placeholder="our-changelog-backup" autoComplete="off" />
            <TextField name="region" label="Region" optional placeholder="eu-central-1" autoComplete="off" />
          </div>
          <div className={css.pair}>
            <TextField name="key_id" label="Key id" autoComplete="off" />
            <TextField
              name="secret"
              label="Secret of the key"
              type="password"
              optional={settings !== null}
              autoComplete="off"
              hint={kept}
            />
          </div>
          <div className={css.pair}>
            <TextField
              name="passphrase"
              label="Passphrase"
              type="password"
              optional
              disabled={open}
              autoComplete="new-password"
              hint={
                settings?.encrypted ? kept : "Copies are encrypted with it. Keep it somewhere else, too: without it nobody can open them."
              }
            />
            <TextField name="keep_days" label="Days to keep a copy" hint="Older ones are deleted; the newest never." autoComplete="off" />
          </div>
          {settings?.encrypted && (
            <Checkbox label="No passphrase from now on" checked={open} onChange={({ target }) => setOpen(target.checked)} />
          )}
          <div className={css.actions}>
            <Button type="submit" variant="primary" busy={submitting}>
              {settings ? "Save" : "Try it and save"}
            </Button>
            {onClose && <Button onClick={onClose}>Cancel</Button>}
          </div>
        </>
      )}
    </ContractForm>
  );
}
