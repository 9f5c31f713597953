import { addOns } from "#contract/kinds.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { List, Note } from "../../ui/layout.tsx";
import { ListItem } from "../../ui/list-item.tsx";
import { ListLoading } from "../../ui/list-loading.tsx";
import { Section } from "../../ui/section.tsx";
import { StatusLabel } from "../../ui/status-label.tsx";
import { paths } from "../../lib/paths.ts";
import { addOnLabels, isOffered, isReleased } from "./add-on-labels.ts";
import { useAddOns } from "./use-add-ons.ts";

/** The workspace's add-ons. The owner adds more. */
export function PlanSection({ workspaceId, isOwner }: { workspaceId: string; isOwner: boolean }) {
  const { data, error, mutate } = useAddOns(workspaceId);
  const owned = data?.add_ons.map(({ add_on }) => add_on) ?? [];
  return (
    <Section title="Plan" text={isOwner ? "Add only what you need." : "Only the owner can add add-ons."}>
      {!data ? (
        <ListLoading label="the plan" error={error} rows={6} onRetry={() => void mutate()} />
      ) : (
        <List>
          {addOns
            .filter((addOn) => isOffered(addOn, data))
            .map((addOn) => (
              <ListItem key={addOn} title={addOnLabels[addOn].name} note={addOnLabels[addOn].text}>
                {owned.includes(addOn) ? (
                  <StatusLabel tone="ok" icon="check" label="Active" />
                ) : data.requested.includes(addOn) ? (
                  <Note as="span">Requested</Note>
                ) : isOwner && isReleased(addOn) ? (
                  <ButtonLink to={paths.upgrade({ workspace: workspaceId, "add-ons": addOn })}>Add</ButtonLink>
                ) : (
                  <Note as="span">{isReleased(addOn) ? "Not included" : "Coming soon"}</Note>
                )}
              </ListItem>
            ))}
        </List>
      )}
    </Section>
  );
}
