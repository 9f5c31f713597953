import { Suspense, useId, useState } from "react";
import { useSWRConfig } from "swr";
import { teamEndpoints } from "#contract/team.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { Button } from "../../ui/button.tsx";
import { FieldFrame } from "../../ui/field-frame.tsx";
import { ListLoading } from "../../ui/list-loading.tsx";
import { Select } from "../../ui/select.tsx";
import { Section } from "../../ui/section.tsx";
import { call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { useCall } from "../../lib/use-call.ts";
import { Text } from "../../ui/layout.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";

const ConfirmAction = lazyPart(() => import("../../ui/confirm-dialog.tsx"), "ConfirmAction");

/** For the owner. */
export function TransferOwnershipSection({ workspace }: { workspace: Workspace }) {
  const id = useId();
  const { mutate } = useSWRConfig();
  const { data, error, mutate: reload } = useCall(teamEndpoints.members, { params: { id: workspace.id } });
  const others = data?.members.filter(({ role }) => role !== "owner") ?? [];
  const [newOwnerId, setNewOwnerId] = useState("");
  const [confirming, setConfirming] = useState(false);
  const newOwner = others.find(({ user_id }) => user_id === newOwnerId);

  async function transferOwnership(memberId: string, name: string) {
    await call(teamEndpoints.handOver, { params: { id: workspace.id }, body: { memberId } });
    toasts.success("Ownership transferred", `${name} now owns ${workspace.name}. You're an admin.`);
    await mutate(() => true); // cache: roles, members and workspaces have changed
  }

  return (
    <Section title="Transfer ownership" text="Make another member the owner. You'll become an admin.">
      {!data && <ListLoading label="the members" error={error} rows={1} onRetry={() => void reload()} />}
      {data && others.length === 0 && <Text tone="muted">You're the only member. Invite someone first.</Text>}
      {others.length > 0 && (
        <>
          <FieldFrame id={id} label="New owner">
            <Select
              id={id}
              style={{ width: "100%" }}
              value={newOwnerId}
              options={[["", "Select a member"], ...others.map((one) => [one.user_id, `${one.full_name} (${one.email})`] as const)]}
              onChange={setNewOwnerId}
            />
          </FieldFrame>
          <Button disabled={!newOwner} onClick={() => setConfirming(true)}>
            Transfer ownership
          </Button>
        </>
      )}
      <Suspense>
        {confirming && newOwner && (
          <ConfirmAction
            title="Transfer ownership?"
            confirm="Transfer"
            failure="Couldn't transfer ownership"
            act={() => transferOwnership(newOwner.user_id, newOwner.full_name)}
            onClose={() => setConfirming(false)}
          >
            <p>
              <strong>{newOwner.full_name}</strong> will own {workspace.name}. Only they can transfer it back.
            </p>
          </ConfirmAction>
        )}
      </Suspense>
    </Section>
  );
}
