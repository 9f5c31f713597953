import { addOns, type AddOn } from "#contract/kinds.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Grid, Text } from "../../ui/layout.tsx";
import { addOnLabels, isOffered, isReleased } from "./add-on-labels.ts";
import type { AddOnStatus } from "./use-add-ons.ts";

/** True if there's nothing to request: owned, or requested but not released yet. */
export const isUnavailable = (addOn: AddOn, { owned, requested }: AddOnStatus): boolean =>
  owned.includes(addOn) || (requested.includes(addOn) && !isReleased(addOn));

interface AddOnChoicesProps extends AddOnStatus {
  chosen: readonly AddOn[];
  onChange: (chosen: AddOn[]) => void;
}

/** Add-on checkboxes; unavailable ones are disabled. Source: specification, section 9 ("Add-on list"). */
export function AddOnChoices({ chosen, onChange, ...status }: AddOnChoicesProps) {
  const toggle = (addOn: AddOn) => onChange(addOns.filter((one) => (one === addOn) !== chosen.includes(one)));
  return (
    <Grid as="fieldset" min="19rem">
      <legend className="visually-hidden">Add-ons</legend>
      {addOns
        .filter((addOn) => isOffered(addOn, status))
        .map((addOn) => (
          <Checkbox
            key={addOn}
            label={addOnLabels[addOn].name}
            note={<AddOnNote addOn={addOn} {...status} />}
            checked={isUnavailable(addOn, status) || chosen.includes(addOn)}
            disabled={isUnavailable(addOn, status)}
            onChange={() => toggle(addOn)}
          />
        ))}
    </Grid>
  );
}

function AddOnNote({ addOn, owned, requested }: { addOn: AddOn } & AddOnStatus) {
  if (owned.includes(addOn)) return isReleased(addOn) ? "Already active" : "Granted, coming soon";
  const state = requestLabel(isReleased(addOn), requested.includes(addOn));
  return (
    <>
      {addOnLabels[addOn].text}
      {state && (
        <>
          {". "}
          <Text as="span" tone="text">
            {state}
          </Text>
        </>
      )}
    </>
  );
}

function requestLabel(isReleased: boolean, isRequested: boolean): string | null {
  if (isRequested) return isReleased ? "Requested" : "Requested, coming soon";
  return isReleased ? null : "Coming soon. Join the waitlist.";
}
