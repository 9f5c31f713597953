import { type OptionalEmail, optionalEmails, profileEndpoints } from "#contract/profile.ts";
import { Checkboxes } from "../../ui/checkbox-group.tsx";
import { Stack } from "../../ui/layout.tsx";
import { ListLoading } from "../../ui/list-loading.tsx";
import { Section } from "../../ui/section.tsx";
import { call } from "../../lib/api-client.ts";
import { useAction } from "../../lib/use-action.ts";
import { useCall } from "../../lib/use-call.ts";

const labels: Record<OptionalEmail, string> = {
  mentioned: "Someone mentions you in a comment",
  review_asked: "A post needs your approval",
  review_decided: "Your post or changes were approved or declined",
};

export function EmailsSection() {
  const { data, error, mutate } = useCall(profileEndpoints.emails, {});
  const { run } = useAction();
  const setMuted = (muted: OptionalEmail[]) =>
    run("emails", "Couldn't save your choice", () =>
      mutate(
        async () => {
          await call(profileEndpoints.setEmails, { body: { muted } });
          return { muted };
        },
        { optimisticData: { muted }, revalidate: false },
      ),
    );
  return (
    <Section title="Emails" anchor="emails" text="We email you when this happens, in all your workspaces.">
      {!data ? (
        <ListLoading label="your choices" error={error} rows={3} onRetry={() => void mutate()} />
      ) : (
        <Stack gap={3}>
          <Checkboxes
            options={optionalEmails.map((value) => ({ value, label: labels[value] }))}
            chosen={optionalEmails.filter((kind) => !data.muted.includes(kind))}
            onChange={(wanted) => void setMuted(optionalEmails.filter((kind) => !wanted.includes(kind)))}
          />
        </Stack>
      )}
    </Section>
  );
}
