import { useId, useRef, useState } from "react";
import { useFormState } from "react-final-form";
import { useNavigate } from "react-router-dom";
import { useSWRConfig } from "swr";
import { z } from "zod";
import { backupEndpoints, restoreInput } from "#contract/backups.ts";
import { workspaceEndpoints } from "#contract/workspaces.ts";
import { Button } from "../../ui/button.tsx";
import { ContractForm, SubmitButton } from "../../ui/contract-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FieldFrame } from "../../ui/field-frame.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { Grid, Row, Text } from "../../ui/layout.tsx";
import { Select } from "../../ui/select.tsx";
import { ListLoading } from "../../ui/list-loading.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { address, ApiError, call } from "../../lib/api-client.ts";
import { moment } from "../../lib/moment.ts";
import { paths } from "../../lib/paths.ts";
import { toasts } from "../../lib/toasts.ts";
import { useCall } from "../../lib/use-call.ts";
import { formatImageCount, formatSize } from "./backup-labels.ts";

const { name, subdomain, passphrase } = restoreInput.shape;
const formSchema = z.object({
  name,
  subdomain,
  passphrase: z.preprocess((text) => (text === "" ? undefined : text), passphrase),
});

/** Restores a backup into a new workspace. */
export function RestoreDialog({ workspaceId, onClose }: { workspaceId: string; onClose: () => void }) {
  const { data, error, mutate } = useCall(backupEndpoints.copies, { params: { workspaceId } }, { revalidateOnFocus: false });
  const [chosen, setChosen] = useState<string>();
  const [problem, setFault] = useState<string>();
  const attempt = useRef<{ of: string; key: string }>(undefined);
  const { mutate: refresh } = useSWRConfig();
  const navigate = useNavigate();
  const id = useId();
  const key = chosen ?? data?.copies[0]?.key;

  async function restore(values: z.output<typeof formSchema>) {
    if (key === undefined) return;
    const body = { key, ...values };
    const of = JSON.stringify(body);
    // Idempotency: retrying after a lost response returns the same workspace.
    if (attempt.current?.of !== of) attempt.current = { of, key: crypto.randomUUID() };
    setFault(undefined);
    try {
      const { workspace_id, left_out } = await call(backupEndpoints.restore, {
        params: { workspaceId },
        body,
        headers: { "idempotency-key": attempt.current.key },
      });
      if (left_out > 0) toasts.warning(`Couldn't restore ${formatImageCount(left_out)}`, "Invalid and oversized images are skipped.");
      await refresh(address(workspaceEndpoints.list.path));
      onClose(); // before the workspace switch asks
      await navigate(paths.dashboard(workspace_id));
    } catch (refusal) {
      if (!(refusal instanceof ApiError)) throw refusal;
      if (refusal.isRefusal) attempt.current = undefined;
      const { key: keyProblem, endpoint, bucket, key_id, secret } = refusal.fields;
      const sentence = keyProblem ?? endpoint ?? bucket ?? key_id ?? secret;
      if (sentence === undefined) throw refusal;
      setFault(sentence);
    }
  }

  return (
    <Dialog open title="Restore backup" width="38rem" hasForm onClose={onClose}>
      <p>
        Restores posts and history, images, settings, statistics and subscribers to a new workspace that you own. Its page stays private and
        no emails are sent. Members, keys, webhooks and add-ons aren't restored.
      </p>
      {data === undefined || error ? (
        <ListLoading label="the backups" error={error} rows={1} onRetry={() => void mutate()} />
      ) : key === undefined ? (
        <Text tone="muted">There's no backup in the bucket yet.</Text>
      ) : (
        <ContractForm schema={formSchema} failure="Couldn't restore the backup. Please try again." onSubmit={restore}>
          {problem && <FormError title="Couldn't restore the backup" message={problem} />}
          <FieldFrame id={id} label="Backup">
            <Select id={id} value={key} options={data.copies.map((copy) => [copy.key, formatBackup(copy)])} onChange={setChosen} />
          </FieldFrame>
          <Grid min="13rem">
            <TextField name="name" label="New workspace name" autoComplete="off" />
            <TextField name="subdomain" label="Subdomain" autoComplete="off" />
          </Grid>
          {key.endsWith(".age") && (
            <TextField
              name="passphrase"
              label="Passphrase"
              type="password"
              optional
              autoComplete="off"
              hint="Only if this backup used a different passphrase."
            />
          )}
          <Progress />
          <Row justify="end" gap={3}>
            <Button onClick={onClose}>Cancel</Button>
            <SubmitButton variant="primary">Restore</SubmitButton>
          </Row>
        </ContractForm>
      )}
    </Dialog>
  );
}

function Progress() {
  const { submitting } = useFormState({ subscription: { submitting: true } });
  return (
    <Text tone="muted" aria-live="polite">
      {submitting && "Restoring. This can take a few minutes with many images. Keep this page open."}
    </Text>
  );
}

/** Date, subdomain at that time, and size. */
function formatBackup({ key, bytes, made_at }: { key: string; bytes: number; made_at: string }): string {
  const subdomain = /\/([a-z0-9-]+)-\d{4}-\d\d-\d\dT/.exec(key)?.[1] ?? "";
  return `${moment(made_at)} · ${subdomain} · ${formatSize(bytes)}`;
}
