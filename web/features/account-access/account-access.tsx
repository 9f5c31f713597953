import { useId, useState } from "react";
import { type AccountAccess, profileEndpoints } from "#contract/profile.ts";
import { relativeTime } from "#contract/rules/relative-time.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmAction } from "../../ui/confirm-dialog.tsx";
import { FieldFrame } from "../../ui/field-frame.tsx";
import { Input } from "../../ui/input.tsx";
import { ListLoading } from "../../ui/list-loading.tsx";
import { toasts } from "../../lib/toasts.ts";
import { useCall } from "../../lib/use-call.ts";
import { useNow } from "../../lib/use-now.ts";
import { defaultDay, startOfDay } from "./since.ts";
import { List } from "../../ui/layout.tsx";
import { ListItem } from "../../ui/list-item.tsx";

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
  const [confirming, setConfirming] = useState(false);
  const now = useNow(60_000);
  const since = startOfDay(day);
  const { data, error, mutate, write } = useCall(profileEndpoints.access, since === undefined ? null : { query: { since } });
  const count = data?.access.length ?? 0;

  async function revokeAll() {
    const { ended } = await write(profileEndpoints.endAccess, { query: { since: since! } });
    toasts.success(`${ended} revoked`, "They no longer work.");
  }

  return (
    <>
      <FieldFrame id={id} label="Created since" error={since === undefined ? "Enter a valid date" : undefined}>
        <Input id={id} type="date" value={day} onChange={({ target }) => setDay(target.value)} />
      </FieldFrame>
      {!data && since !== undefined && <ListLoading label="keys and connections" error={error} rows={1} onRetry={() => void mutate()} />}
      {data && (
        <p role="status">
          {count === 0 ? "Nothing created since this day. Choose an earlier day to see more." : `${count} created since this day:`}
        </p>
      )}
      {count > 0 && (
        <>
          <List aria-label="Keys and connections">
            {data!.access.map((one) => (
              <ListItem
                key={`${one.kind} ${one.id}`}
                icon={kindLabels[one.kind].icon}
                title={<bdi>{one.name}</bdi>}
                note={
                  <>
                    {kindLabels[one.kind].label} in {one.workspace_name} · created {relativeTime(one.made_at, now).toLowerCase()}
                    {one.last_used_at && ` · last used ${relativeTime(one.last_used_at, now).toLowerCase()}`}
                  </>
                }
              />
            ))}
          </List>
          <Button variant="danger" onClick={() => setConfirming(true)}>
            {count === 1 ? "Revoke" : `Revoke all ${count}`}
          </Button>
        </>
      )}
      {confirming && (
        <ConfirmAction
          title={count === 1 ? "Revoke it?" : `Revoke all ${count}?`}
          confirm={count === 1 ? "Revoke" : `Revoke all ${count}`}
          danger
          failure="Couldn't revoke them"
          act={revokeAll}
          onClose={() => setConfirming(false)}
        >
          <p>Apps and people using them lose access immediately. This can't be undone, but you can create new ones.</p>
        </ConfirmAction>
      )}
    </>
  );
}
