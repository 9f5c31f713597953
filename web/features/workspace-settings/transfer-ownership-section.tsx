import { Suspense, useId, useState } from "react";
import { useSWRConfig } from "swr";
import { teamEndpoints } from "#contract/team.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { Button } from "../../ui/button.tsx";
import { FieldFrame } from "../../ui/field-frame.tsx";
import { LoadError } from "../../ui/form-error.tsx";
import { Section } from "../../ui/section.tsx";
import { ApiError, call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { useCall } from "../../lib/use-call.ts";
import { Text } from "../../ui/layout.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";

const ConfirmDialog = lazyPart(() => import("../../ui/confirm-dialog.tsx"), "ConfirmDialog");

/** For the owner. */
export function TransferOwnershipSection({ workspace }: { workspace: Workspace }) {
  const id = useId();
  const { mutate } = useSWRConfig();
  const { data, error, mutate: reload } = useCall(teamEndpoints.members, { params: { id: workspace.id } });
  const others = data?.members.filter(({ role }) => role !== "owner") ?? [];
  const [newOwnerId, setNewOwnerId] = useState("");
  const [confirming, setConfirming] = useState(false);
  const [busy, setBusy] = useState(false);
  const newOwner = others.find(({ user_id }) => user_id === newOwnerId);

  async function transferOwnership(memberId: string, name: string) {
    setBusy(true);
    try {
      await call(teamEndpoints.handOver, { params: { id: workspace.id }, body: { memberId } });
      toasts.success("Ownership transferred", `${name} now owns ${workspace.name}. You're an admin.`);
      await mutate(() => true); // cache: roles, members and workspaces have changed
    } catch (error) {
      toasts.error("Couldn't transfer ownership", error instanceof ApiError ? error.message : "Please try again later");
    } finally {
      setBusy(false);
      setConfirming(false);
    }
  }

  return (
    <Section title="Transfer ownership" text="Make another member the owner. You'll become an admin.">
      {error && !data && <LoadError title="Couldn't load the members" message={error.message} onRetry={() => void reload()} />}
      {data && others.length === 0 && <Text tone="muted">You're the only member. Invite someone first.</Text>}
      {others.length > 0 && (
        <>
          <FieldFrame id={id} label="New owner">
            <select id={id} style={{ width: "100%" }} value={newOwnerId} onChange={(event) => setNewOwnerId(event.target.value)}>
              <option value="">Select a member</option>
              {others.map(({ user_id, full_name, email }) => (
                <option key={user_id} value={user_id}>
                  {full_name} ({email})
                </option>
              ))}
            </select>
          </FieldFrame>
          <Button disabled={!newOwner} onClick={() => setConfirming(true)}>
            Transfer ownership
          </Button>
        </>
      )}
      <Suspense>
        {confirming && newOwner && (
          <ConfirmDialog
            title="Transfer ownership?"
            confirm="Transfer"
            busy={busy}
            onConfirm={() => void transferOwnership(newOwner.user_id, newOwner.full_name)}
            onClose={() => setConfirming(false)}
          >
            <p>
              <strong>{newOwner.full_name}</strong> will own {workspace.name}. Only they can transfer it back.
            </p>
          </ConfirmDialog>
        )}
      </Suspense>
    </Section>
  );
}
