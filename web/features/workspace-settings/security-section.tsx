import { useState } from "react";
import { securityEndpoints } from "#contract/factors.ts";
import { call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { useCall } from "../../lib/use-call.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { ConfirmAction } from "../../ui/confirm-dialog.tsx";
import { Text } from "../../ui/layout.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

/** The owner changes it. */
export function SecuritySection({ workspaceId, isOwner }: { workspaceId: string; isOwner: boolean }) {
  const params = { workspaceId };
  const { data, error, mutate } = useCall(securityEndpoints.read, { params });
  const [confirming, setConfirming] = useState(false);
  const without = data?.without_factor.map(({ full_name }) => full_name) ?? [];

  async function save(required: boolean) {
    await mutate(call(securityEndpoints.save, { params, body: { require_second_factor: required } }), { revalidate: false });
    toasts.success("Saved");
  }
  const choose = (required: boolean) =>
    required ? setConfirming(true) : void save(false).catch((reason: unknown) => toasts.failure("Couldn't save", reason));

  return (
    <Section
      title="Two-factor authentication"
      text="Members without two-factor authentication can't open the workspace, and their API keys stop working."
    >
      {!data && error ? (
        <Text tone="muted">Couldn't load the security settings. Try refreshing the page.</Text>
      ) : !data ? (
        <Skeleton height="4rem" />
      ) : (
        <>
          <Checkbox
            label="Require two-factor authentication"
            note={isOwner ? "Of all members, you included." : "The owner can change this."}
            checked={data.require_second_factor}
            disabled={!isOwner}
            onChange={({ target }) => choose(target.checked)}
          />
          <Text tone="muted">
            {without.length === 0 ? "Every member has it." : `Not set up yet: ${new Intl.ListFormat("en").format(without)}.`}
          </Text>
        </>
      )}
      {confirming && (
        <ConfirmAction
          title="Require two-factor authentication?"
          confirm="Require it"
          failure="Couldn't save"
          act={() => save(true)}
          onClose={() => setConfirming(false)}
        >
          {without.length === 0
            ? "Every member has it already. New members are asked to set it up."
            : `${new Intl.ListFormat("en").format(without)} can't open the workspace until they set it up.`}
        </ConfirmAction>
      )}
    </Section>
  );
}
