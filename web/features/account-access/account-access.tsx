import { useId, useState } from "react";
import { type AccountAccess, profileEndpoints } from "#contract/profile.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { FieldFrame } from "../../ui/field-frame.tsx";
import { LoadError } from "../../ui/form-error.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Input } from "../../ui/input.tsx";
import { Loading, Skeleton } from "../../ui/skeleton.tsx";
import { call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { useCall } from "../../lib/use-call.ts";
import { useNow } from "../../lib/use-now.ts";
import { defaultDay, startOfDay } from "./since.ts";
import { List, Stack, Text } from "../../ui/layout.tsx";

const kindLabels = {
  api_key: { label: "API key", icon: "code" },
  assistant: { label: "Assistant", icon: "bolt" },
  invitation: { label: "Invitation", icon: "envelope" },
  preview_link: { label: "Preview link", icon: "link" },
} as const satisfies Record<AccountAccess["kind"], object>;

/** Keys, assistants, invitations and preview links created since a day, and a button to revoke them all. */
export function AccountAccessList() {
  const id = useId();
  const [day, setDay] = useState(defaultDay);
  const [confirming, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const now = useNow(60_000);
  const since = startOfDay(day);
  const { data, error, mutate } = useCall(profileEndpoints.access, since === undefined ? null : { query: { since } });
  const count = data?.access.length ?? 0;

  async function revokeAll() {
    setBusy(true);
    try {
      const { ended } = await call(profileEndpoints.endAccess, { query: { since: since! } });
      await mutate();
      toasts.success(`${ended} revoked`, "They no longer work.");
    } catch (failure) {
      toasts.error("Couldn't revoke them", failure instanceof Error ? failure.message : undefined);
    } finally {
      setBusy(false);
      setAsking(false);
    }
  }

  return (
    <>
      <FieldFrame id={id} label="Created since" error={since === undefined ? "Enter a valid date" : undefined}>
        <Input id={id} type="date" value={day} onChange={({ target }) => setDay(target.value)} />
      </FieldFrame>
      {error && !data && <LoadError title="Couldn't load the list" message={error.message} onRetry={() => void mutate()} />}
      {!error && !data && since !== undefined && (
        <Loading label="Loading keys and connections">
          <Skeleton height="3.5rem" width="40rem" />
        </Loading>
      )}
      {data && (
        <p role="status">
          {count === 0 ? "Nothing created since this day. Choose an earlier day to see more." : `${count} created since this day:`}
        </p>
      )}
      {count > 0 && (
        <>
          <List aria-label="Keys and connections">
            {data!.access.map((one) => (
              <li key={`${one.kind} ${one.id}`}>
                <Icon name={kindLabels[one.kind].icon} large muted />
                <Stack as="span" gap={0} grow>
                  <Text as="bdi" strong>
                    {one.name}
                  </Text>
                  <Text as="span" size="small" tone="muted">
                    {kindLabels[one.kind].label} in {one.workspace_name} · created {relativeTime(one.made_at, now).toLowerCase()}
                    {one.last_used_at && ` · last used ${relativeTime(one.last_used_at, now).toLowerCase()}`}
                  </Text>
                </Stack>
              </li>
            ))}
          </List>
          <Button variant="danger" onClick={() => setAsking(true)}>
            {count === 1 ? "Revoke" : `Revoke all ${count}`}
          </Button>
        </>
      )}
      {confirming && (
        <ConfirmDialog
          title={count === 1 ? "Revoke it?" : `Revoke all ${count}?`}
          confirm={count === 1 ? "Revoke" : `Revoke all ${count}`}
          danger
          busy={busy}
          onConfirm={() => void revokeAll()}
          onClose={() => setAsking(false)}
        >
          <p>Apps and people using them lose access immediately. This can't be undone, but you can create new ones.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
