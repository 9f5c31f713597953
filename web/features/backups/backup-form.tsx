import { useState } from "react";
import { z } from "zod";
import { type Backup, backupInput, keepDaysMax } from "#contract/backups.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { Grid, Row } from "../../ui/layout.tsx";
import { TextField } from "../../ui/text-field.tsx";

const optionalText = <Schema extends z.ZodType>(schema: Schema) => z.preprocess((typed) => (typed === "" ? undefined : typed), schema);
const daysSentence = `Enter a number of days from 1 to ${keepDaysMax}`;

/** Form input: empty fields are omitted, numbers are text. */
const typedBackup = backupInput.extend({
  region: optionalText(backupInput.shape.region),
  secret: optionalText(backupInput.shape.secret),
  passphrase: optionalText(backupInput.shape.passphrase),
  keep_days: z
    .string({ error: daysSentence })
    .trim()
    .regex(/^\d{1,3}$/, { error: daysSentence })
    .transform(Number)
    .pipe(backupInput.shape.keep_days),
});

/** The first setup requires the secret. */
const firstBackup = typedBackup.extend({ secret: backupInput.shape.secret.unwrap() });

interface BackupFormProps {
  settings: Backup["settings"];
  save: (body: z.input<typeof backupInput>) => Promise<void>;
  /** Absent on the first setup. */
  onClose?: (() => void) | undefined;
}

/** Secrets are never shown again. */
export function BackupForm({ settings, save, onClose }: BackupFormProps) {
  const [unencrypted, setOpen] = useState(false);
  const [initial] = useState({
    ...(settings && { endpoint: settings.endpoint, region: settings.region, bucket: settings.bucket, key_id: settings.key_id }),
    keep_days: String(settings?.keep_days ?? 30),
  });
  const keepHint = settings === null ? undefined : "Leave empty to keep the current one.";
  return (
    <ContractForm
      schema={settings === null ? firstBackup : typedBackup}
      initialValues={initial}
      failure="Couldn't save. Please try again."
      onSubmit={async (typed) => {
        await save({ ...typed, ...(unencrypted && { passphrase: null }) });
        onClose?.();
      }}
    >
      <TextField
        name="endpoint"
        label="Endpoint"
        type="url"
        placeholder="https://s3.eu-central-1.amazonaws.com"
        hint="Endpoint of any S3-compatible service: Amazon, Backblaze, Cloudflare R2, Hetzner or self-hosted."
        autoComplete="off"
        autoFocus={onClose !== undefined}
      />
      <Grid min="13rem">
        <TextField name="bucket" label="Bucket" placeholder="our-changelog-backup" autoComplete="off" />
        <TextField name="region" label="Region" optional placeholder="eu-central-1" autoComplete="off" />
      </Grid>
      <Grid min="13rem">
        <TextField name="key_id" label="Access key ID" autoComplete="off" />
        <TextField
          name="secret"
          label="Secret access key"
          type="password"
          optional={settings !== null}
          autoComplete="off"
          hint={keepHint}
        />
      </Grid>
      <Grid min="13rem">
        <TextField
          name="passphrase"
          label="Passphrase"
          type="password"
          optional
          disabled={unencrypted}
          autoComplete="new-password"
          hint={settings?.encrypted ? keepHint : "Encrypts your backups. Store it safely: backups can't be opened without it."}
        />
        <TextField
          name="keep_days"
          label="Retention (days)"
          hint="Older backups are deleted. The latest is always kept."
          autoComplete="off"
        />
      </Grid>
      {settings?.encrypted && (
        <Checkbox label="Stop encrypting new backups" checked={unencrypted} onChange={({ target }) => setOpen(target.checked)} />
      )}
      <Row gap={3}>
        <SubmitButton variant="primary">{settings ? "Save" : "Test and save"}</SubmitButton>
        {onClose && <Button onClick={onClose}>Cancel</Button>}
      </Row>
    </ContractForm>
  );
}
