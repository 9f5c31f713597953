import { Suspense, useId, useState } from "react";
import { useSWRConfig } from "swr";
import { teamEndpoints } from "#contract/team.ts";
import type { Workspace } from "#contract/workspaces.ts";
import { Button } from "../../components/button.tsx";
import { FieldFrame } from "../../components/field-frame.tsx";
import { NotRead } from "../../components/form-error.tsx";
import { Section } from "../../components/section.tsx";
import { ApiError, call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { useCall } from "../../lib/use-call.ts";
import css from "./settings.module.css";
import { lazyPart } from "../../components/lazy-part.tsx";

const ConfirmDialog = lazyPart(
  () => import("../../components/confirm-dialog.tsx"),
  (part) => part.ConfirmDialog,
);

/** For the owner: makes another member the owner. */
export function HandOverSection({ workspace }: { workspace: Workspace }) {
  const id = useId();
  const { mutate } = useSWRConfig();
  const { data, error, mutate: reload } = useCall(teamEndpoints.members, { params: { id: workspace.id } });
  const others = data?.members.filter(({ role }) => role !== "owner") ?? [];
  const [heirId, setHeirId] = useState("");
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const heir = others.find(({ user_id }) => user_id === heirId);

  async function handOver(memberId: string, name: string) {
    setBusy(true);
    try {
      await call(teamEndpoints.handOver, { params: { id: workspace.id }, body: { memberId } });
      toasts.success("Ownership handed over", `${name} owns ${workspace.name} now. You are an administrator.`);
      await mutate(() => true); // roles, members and the workspaces' list have all changed
    } catch (error) {
      toasts.error("Ownership could not be handed over", error instanceof ApiError ? error.message : "Please try again later");
    } finally {
      setBusy(false);
      setAsking(false);
    }
  }

  return (
    <Section title="Hand over" text="Another member becomes the owner, and you an administrator.">
      {error && !data && <NotRead title="The members could not be read" message={error.message} onRetry={() => void reload()} />}
      {data && others.length === 0 && <p className={css.note}>You are the only member. Invite somebody first.</p>}
      {others.length > 0 && (
        <>
          <FieldFrame id={id} label="New owner">
            <select id={id} className={css.select} value={heirId} onChange={(event) => setHeirId(event.target.value)}>
              <option value="">Choose a member</option>
              {others.map(({ user_id, full_name, email }) => (
                <option key={user_id} value={user_id}>
                  {full_name} ({email})
                </option>
              ))}
            </select>
          </FieldFrame>
          <Button disabled={!heir} onClick={() => setAsking(true)}>
            Hand ownership over
          </Button>
        </>
      )}
      <Suspense>
        {asking && heir && (
          <ConfirmDialog
            title="Hand ownership over?"
            confirm="Hand over"
            busy={busy}
            onConfirm={() => void handOver(heir.user_id, heir.full_name)}
            onClose={() => setAsking(false)}
          >
            <p>
              <strong>{heir.full_name}</strong> will own {workspace.name}. Only they can give it back.
            </p>
          </ConfirmDialog>
        )}
      </Suspense>
    </Section>
  );
}
