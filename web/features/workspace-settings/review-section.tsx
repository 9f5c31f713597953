import { useId, useState } from "react";
import { type ReviewRule, reviewEndpoints, reviewRules } from "#contract/reviews.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { call } from "../../lib/api-client.ts";
import { toasts } from "../../lib/toasts.ts";
import { useCall } from "../../lib/use-call.ts";
import { Stack, Text } from "../../ui/layout.tsx";

const ruleLabels: Readonly<Record<ReviewRule, { name: string; text: string }>> = {
  off: { name: "No posts", text: "Everyone who can write can also publish." },
  editors: { name: "Posts by editors", text: "An owner or admin approves what editors publish, schedule or change in live posts." },
  all: { name: "All except the owner's", text: "Posts by admins are approved by another admin or the owner." },
};

/** Approval rule; the owner changes it. */
export function ReviewSection({ workspaceId, owns: isOwner }: { workspaceId: string; owns: boolean }) {
  const params = { workspaceId };
  const { data, error, mutate } = useCall(reviewEndpoints.rule, { params });
  const [busy, setBusy] = useState(false);
  const id = useId();

  async function choose(rule: ReviewRule) {
    if (busy) return;
    setBusy(true);
    try {
      await mutate(call(reviewEndpoints.setRule, { params, body: { rule } }), { optimisticData: { rule }, revalidate: false });
      toasts.success("Saved");
    } catch (error) {
      toasts.failure("Couldn't save", error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Section title="Approvals" text="People can't approve their own posts. API keys without publish access always need approval.">
      {!data && error ? (
        <Text tone="muted">Couldn't load the approval rule. Try refreshing the page.</Text>
      ) : !data ? (
        <Skeleton height="9rem" />
      ) : isOwner ? (
        <Stack as="fieldset" gap={2} disabled={busy}>
          <legend>Which posts need approval?</legend>
          {reviewRules.map((rule) => (
            <Checkbox
              key={rule}
              type="radio"
              name={id}
              label={ruleLabels[rule].name}
              note={ruleLabels[rule].text}
              checked={data.rule === rule}
              onChange={() => void choose(rule)}
            />
          ))}
        </Stack>
      ) : (
        <Text tone="muted">{data.rule === "off" ? "No posts need approval." : ruleLabels[data.rule].text} The owner can change this.</Text>
      )}
    </Section>
  );
}
