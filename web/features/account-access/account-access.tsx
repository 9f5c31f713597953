import { useId, useState } from "react";
import { type AccountAccess, profileEndpoints } from "#contract/profile.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { FieldFrame } from "../../components/field-frame.tsx";
import { NotRead } from "../../components/form-error.tsx";
import { Icon } from "../../components/icon.tsx";
import { Input } from "../../components/input.tsx";
import { Loading, Skeleton } from "../../components/skeleton.tsx";
import { call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { useCall } from "../../lib/use-call.ts";
import { useNow } from "../../lib/use-now.ts";
import { firstDay, startOf } from "./since.ts";
import css from "./account-access.module.css";

const kinds = {
  api_key: { label: "API key", icon: "code" },
  assistant: { label: "Assistant", icon: "bolt" },
  invitation: { label: "Invitation", icon: "envelope" },
  preview_link: { label: "Preview link", icon: "link" },
} as const satisfies Record<AccountAccess["kind"], object>;

/** What acts for the person beside their sessions, since a day they choose, and the end of all of it. */
export function AccountAccessList() {
  const id = useId();
  const [day, setDay] = useState(firstDay);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const now = useNow(60_000);
  const since = startOf(day);
  const { data, error, mutate } = useCall(profileEndpoints.access, since === undefined ? null : { query: { since } });
  const count = data?.access.length ?? 0;

  async function end() {
    setBusy(true);
    try {
      const { ended } = await call(profileEndpoints.endAccess, { query: { since: since! } });
      await mutate();
      toasts.success(`${ended} ended`, "They no longer work.");
    } catch (failure) {
      toasts.error("Couldn't end them", failure instanceof Error ? failure.message : undefined);
    } finally {
      setBusy(false);
      setAsking(false);
    }
  }

  return (
    <>
      <div className={css.since}>
        <FieldFrame id={id} label="Made since" error={since === undefined ? "Enter a valid day" : undefined}>
          <Input id={id} type="date" value={day} onChange={({ target }) => setDay(target.value)} />
        </FieldFrame>
      </div>
      {error && !data && <NotRead title="Couldn't load the list" message={error.message} onRetry={() => void mutate()} />}
      {!error && !data && since !== undefined && (
        <Loading label="Loading what acts for you">
          <Skeleton height="3.5rem" />
        </Loading>
      )}
      {data && (
        <p role="status" className={css.sum}>
          {count === 0
            ? "Nothing made since this day acts for you. Choose an earlier day to look further back."
            : `${count} made since this day:`}
        </p>
      )}
      {count > 0 && (
        <>
          <ul role="list" aria-label="What acts for you" className={css.list}>
            {data!.access.map((one) => (
              <li key={`${one.kind} ${one.id}`} className={css.line}>
                <Icon name={kinds[one.kind].icon} large className={css.icon} />
                <span className={css.words}>
                  <bdi className={css.name}>{one.name}</bdi>
                  <span className={css.note}>
                    {kinds[one.kind].label} in {one.workspace_name} · made {relativeTime(one.made_at, now).toLowerCase()}
                    {one.last_used_at && ` · last used ${relativeTime(one.last_used_at, now).toLowerCase()}`}
                  </span>
                </span>
              </li>
            ))}
          </ul>
          <div>
            <Button variant="danger" onClick={() => setAsking(true)}>
              {count === 1 ? "End it" : `End all ${count}`}
            </Button>
          </div>
        </>
      )}
      {asking && (
        <ConfirmDialog
          title={count === 1 ? "End it?" : `End all ${count}?`}
          confirm={count === 1 ? "End it" : `End all ${count}`}
          danger
          busy={busy}
          onConfirm={() => void end()}
          onClose={() => setAsking(false)}
        >
          <p>Programs and people that use them lose access at once. You can't undo this, but you can make new ones.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
