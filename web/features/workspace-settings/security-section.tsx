import { useState } from "react";
import { securityEndpoints } from "#contract/factors.ts";
import { call } from "../../lib/api-client.ts";
import { moment } from "../../lib/moment.ts";
import { toasts } from "../../lib/toasts.ts";
import { useCall } from "../../lib/use-call.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { ConfirmAction } from "../../ui/confirm-dialog.tsx";
import { List, Text } from "../../ui/layout.tsx";
import { ListItem } from "../../ui/list-item.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

/** The owner changes it. */
export function SecuritySection({ workspaceId, isOwner }: { workspaceId: string; isOwner: boolean }) {
  const params = { workspaceId };
  const { data, error, mutate } = useCall(securityEndpoints.read, { params });
  const [confirming, setConfirming] = useState(false);
  const [resetting, setResetting] = useState<{ user_id: string; full_name: string }>();
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
          {isOwner && data.resettable.length > 0 && (
            <List aria-label="Members with two-factor authentication" style={{ width: "100%" }}>
              {data.resettable.map(({ user_id, full_name, reset_at }) => (
                <ListItem
                  key={user_id}
                  title={full_name}
                  note={reset_at === null ? undefined : `Removed ${moment(reset_at)}, unless they object`}
                >
                  {reset_at === null && (
                    <Button
                      variant="quiet"
                      size="small"
                      aria-label={`Reset two-factor authentication of ${full_name}`}
                      onClick={() => setResetting({ user_id, full_name })}
                    >
                      Reset
                    </Button>
                  )}
                </ListItem>
              ))}
            </List>
          )}
          <Text tone="muted">
            {without.length === 0 ? "Every member has it." : `Not set up yet: ${new Intl.ListFormat("en").format(without)}.`}
          </Text>
        </>
      )}
      {resetting && (
        <ConfirmAction
          title={`Reset two-factor authentication of ${resetting.full_name}?`}
          confirm="Reset it"
          danger
          failure="Couldn't reset it"
          act={() => mutate(call(securityEndpoints.resetFactor, { params, body: { user_id: resetting.user_id } }), { revalidate: false })}
          onClose={() => setResetting(undefined)}
        >
          We email them. Their authenticator apps and recovery codes are removed in 24 hours, unless they object or give a code.
        </ConfirmAction>
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
