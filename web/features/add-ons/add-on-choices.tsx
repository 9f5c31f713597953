import { addOns, type AddOn } from "#contract/kinds.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { addOnLabels, isReleased } from "./add-on-labels.ts";
import css from "./add-on-choices.module.css";

export interface AddOnStatus {
  owned: readonly string[];
  requested: readonly AddOn[];
}

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
    <fieldset className={css.choices}>
      <legend className="visually-hidden">Add-ons</legend>
      {addOns.map((addOn) => (
        <Checkbox
          key={addOn}
          label={addOnLabels[addOn].name}
          note={<Note addOn={addOn} {...status} />}
          checked={isUnavailable(addOn, status) || chosen.includes(addOn)}
          disabled={isUnavailable(addOn, status)}
          onChange={() => toggle(addOn)}
        />
      ))}
    </fieldset>
  );
}

function Note({ addOn, owned, requested }: { addOn: AddOn } & AddOnStatus) {
  if (owned.includes(addOn)) return isReleased(addOn) ? "Already active" : "Granted, coming soon";
  const state = requestLabel(isReleased(addOn), requested.includes(addOn));
  return (
    <>
      {addOnLabels[addOn].text}
      {state && <span className={css.state}>{state}</span>}
    </>
  );
}

function requestLabel(isReleased: boolean, isRequested: boolean): string | null {
  if (isRequested) return isReleased ? "Requested" : "Requested, coming soon";
  return isReleased ? null : "Coming soon. Join the waitlist.";
}
