import { addOns, type AddOn } from "#contract/kinds.ts";
import { Checkbox } from "../../components/checkbox.tsx";
import { addOnWords, exists } from "./add-on-labels.ts";
import css from "./add-on-choices.module.css";

/** What a workspace has, and what was asked for it and is not there. */
export interface KnownAddOns {
  owned: readonly string[];
  requested: readonly AddOn[];
}

/** Nothing is left to be asked for: it is there, or it was written down and does not exist. */
export const isSettled = (addOn: AddOn, { owned, requested }: KnownAddOns): boolean =>
  owned.includes(addOn) || (requested.includes(addOn) && !exists(addOn));

interface AddOnChoicesProps extends KnownAddOns {
  chosen: readonly AddOn[];
  onChange: (chosen: AddOn[]) => void;
}

/** The six add-ons as checkboxes; those that are settled are shown, but no longer to be chosen. Source: specification, section 9 ("Add-on list"). */
export function AddOnChoices({ chosen, onChange, ...known }: AddOnChoicesProps) {
  const toggle = (addOn: AddOn) => onChange(addOns.filter((one) => (one === addOn) !== chosen.includes(one)));
  return (
    <fieldset className={css.choices}>
      <legend className="visually-hidden">Add-ons</legend>
      {addOns.map((addOn) => (
        <Checkbox
          key={addOn}
          label={addOnWords[addOn].name}
          note={<Note addOn={addOn} {...known} />}
          checked={isSettled(addOn, known) || chosen.includes(addOn)}
          disabled={isSettled(addOn, known)}
          onChange={() => toggle(addOn)}
        />
      ))}
    </fieldset>
  );
}

/** What it brings; whether it exists and was asked for, in a line of its own. */
function Note({ addOn, owned, requested }: { addOn: AddOn } & KnownAddOns) {
  if (owned.includes(addOn)) return exists(addOn) ? "Already active" : "Granted, but not there yet";
  const state = stateOf(exists(addOn), requested.includes(addOn));
  return (
    <>
      {addOnWords[addOn].text}
      {state && <span className={css.state}>{state}</span>}
    </>
  );
}

function stateOf(isThere: boolean, isAsked: boolean): string | null {
  if (isAsked) return isThere ? "Asked for" : "Asked for, not there yet";
  return isThere ? null : "Coming. We note your interest.";
}
