import { addOns } from "#contract/kinds.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { List, Stack, Text } from "../../ui/layout.tsx";
import { Section } from "../../ui/section.tsx";
import { Loading, Skeleton } from "../../ui/skeleton.tsx";
import { StatusLabel } from "../../ui/status-label.tsx";
import { paths } from "../../lib/paths.ts";
import { addOnLabels, isReleased } from "./add-on-labels.ts";
import { useAddOns } from "./use-add-ons.ts";

/** The workspace's add-ons. The owner adds more. */
export function PlanSection({ workspaceId, isOwner }: { workspaceId: string; isOwner: boolean }) {
  const { data } = useAddOns(workspaceId);
  const owned = data?.add_ons.map(({ add_on }) => add_on) ?? [];
  return (
    <Section title="Plan" text={isOwner ? "Add only what you need." : "Only the owner can add add-ons."}>
      {!data ? (
        <Loading label="Loading the plan">
          <Skeleton height="14rem" />
        </Loading>
      ) : (
        <List>
          {addOns.map((addOn) => (
            <li key={addOn}>
              <Stack gap={0} grow>
                <Text strong>{addOnLabels[addOn].name}</Text>
                <Text size="small" tone="muted">
                  {addOnLabels[addOn].text}
                </Text>
              </Stack>
              {owned.includes(addOn) ? (
                <StatusLabel tone="ok" icon="check" label="Active" />
              ) : data.requested.includes(addOn) ? (
                <Text as="span" size="small" tone="muted">
                  Requested
                </Text>
              ) : isOwner && isReleased(addOn) ? (
                <ButtonLink to={paths.upgrade({ workspace: workspaceId, "add-ons": addOn })}>Add</ButtonLink>
              ) : (
                <Text as="span" size="small" tone="muted">
                  {isReleased(addOn) ? "Not included" : "Coming soon"}
                </Text>
              )}
            </li>
          ))}
        </List>
      )}
    </Section>
  );
}
