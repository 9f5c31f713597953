import { useId, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { useSWRConfig } from "swr";
import { z } from "zod";
import { backupEndpoints, restoreInput } from "#contract/backups.ts";
import { workspaceEndpoints } from "#contract/workspaces.ts";
import { Button } from "../../components/button.tsx";
import { ContractForm } from "../../components/contract-form.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { FormError, NotRead } from "../../components/form-error.tsx";
import { Loading, Skeleton } from "../../components/skeleton.tsx";
import { TextField } from "../../components/text-field.tsx";
import { address, ApiError, call } from "../../lib/api-client.ts";
import { moment } from "../../lib/moment.ts";
import { paths } from "../../lib/paths.ts";
import { toasts } from "../../lib/toasts.ts";
import { useCall } from "../../lib/use-call.ts";
import { imageWords, sizeWords } from "./backup-labels.ts";
import css from "./backup.module.css";

const { name, subdomain, passphrase } = restoreInput.shape;
const typed = z.object({
  name,
  subdomain,
  passphrase: z.preprocess((text) => (text === "" ? undefined : text), passphrase),
});

/** A copy of the bucket becomes a new workspace; what is there now stays as it is. */
export function RestoreDialog({ workspaceId, onClose }: { workspaceId: string; onClose: () => void }) {
  const { data, error, mutate } = useCall(backupEndpoints.copies, { params: { workspaceId } }, { revalidateOnFocus: false });
  const [chosen, setChosen] = useState<string>();
  const [fault, setFault] = useState<string>();
  const attempt = useRef<{ of: string; key: string }>(undefined);
  const { mutate: refresh } = useSWRConfig();
  const navigate = useNavigate();
  const id = useId();
  const key = chosen ?? data?.copies[0]?.key;

  async function restore(values: z.output<typeof typed>) {
    if (key === undefined) return;
    const body = { key, ...values };
    const of = JSON.stringify(body);
    // Asked again after an answer that was lost, it is the same workspace.
    if (attempt.current?.of !== of) attempt.current = { of, key: crypto.randomUUID() };
    setFault(undefined);
    try {
      const { workspace_id, left_out } = await call(backupEndpoints.restore, {
        params: { workspaceId },
        body,
        headers: { "idempotency-key": attempt.current.key },
      });
      if (left_out > 0)
        toasts.warning(`${imageWords(left_out)} of the copy did not come back`, "What is no image, or too large for one, is left out.");
      await refresh(address(workspaceEndpoints.list.path));
      onClose(); // the way there asks whether the workspace is to be another one
      await navigate(paths.dashboard(workspace_id));
    } catch (refusal) {
      if (!(refusal instanceof ApiError)) throw refusal;
      if (refusal.isRefusal) attempt.current = undefined;
      const { key: copy, endpoint, bucket, key_id, secret } = refusal.fields;
      const sentence = copy ?? endpoint ?? bucket ?? key_id ?? secret;
      if (sentence === undefined) throw refusal;
      setFault(sentence);
    }
  }

  return (
    <Dialog open title="Restore a copy" width="38rem" onClose={onClose}>
      <p className={css.text}>
        It becomes a workspace of its own, with its posts and their history, images, settings, numbers and subscribers. You own it; its page
        is closed until you open it, and nobody is mailed. Members, keys, webhooks and add-ons do not come back.
      </p>
      {error ? (
        <NotRead title="The copies could not be read" message={error.sentence} onRetry={() => void mutate()} />
      ) : data === undefined ? (
        <Loading label="Looking into the bucket">
          <Skeleton height="2.75rem" />
        </Loading>
      ) : key === undefined ? (
        <p className={css.note}>There is no copy in the bucket yet.</p>
      ) : (
        <ContractForm schema={typed} failure="The copy was not restored. Please try again." onSubmit={restore}>
          {({ submitting }) => (
            <>
              {fault && <FormError title="The copy was not restored" message={fault} />}
              <div className={css.field}>
                <label htmlFor={id}>Copy</label>
                <select id={id} className={css.select} value={key} onChange={({ target }) => setChosen(target.value)}>
                  {data.copies.map((copy) => (
                    <option key={copy.key} value={copy.key}>
                      {copyWords(copy)}
                    </option>
                  ))}
                </select>
              </div>
              <div className={css.pair}>
                <TextField name="name" label="Name of the new workspace" autoComplete="off" />
                <TextField name="subdomain" label="Subdomain" autoComplete="off" />
              </div>
              {key.endsWith(".age") && (
                <TextField
                  name="passphrase"
                  label="Passphrase"
                  type="password"
                  optional
                  autoComplete="off"
                  hint="Only if this copy was made with another one than is set now."
                />
              )}
              <p className={css.note} aria-live="polite">
                {submitting ? "The copy is being read. With many images this takes a few minutes; please leave this open." : ""}
              </p>
              <div className={css.buttons}>
                <Button onClick={onClose}>Cancel</Button>
                <Button type="submit" variant="primary" busy={submitting}>
                  Restore
                </Button>
              </div>
            </>
          )}
        </ContractForm>
      )}
    </Dialog>
  );
}

/** When, of which workspace (by the subdomain it had then), how large. */
function copyWords({ key, bytes, made_at }: { key: string; bytes: number; made_at: string }): string {
  const subdomain = /\/([a-z0-9-]+)-\d{4}-\d\d-\d\dT/.exec(key)?.[1] ?? "";
  return `${moment(made_at)} · ${subdomain} · ${sizeWords(bytes)}`;
}
