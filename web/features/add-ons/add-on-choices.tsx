import { addOns, type AddOn } from "#contract/kinds.ts";
import { Checkbox } from "../../components/checkbox.tsx";
import { addOnWords } from "./add-on-words.ts";
import css from "./add-on-choices.module.css";

interface AddOnChoicesProps {
  chosen: readonly AddOn[];
  /** Already there: shown, but no longer to be chosen. */
  owned: readonly string[];
  onChange: (chosen: AddOn[]) => void;
}

/** The six add-ons as checkboxes. Source: specification, section 9 ("Add-on list"). */
export function AddOnChoices({ chosen, owned, onChange }: AddOnChoicesProps) {
  const toggle = (addOn: AddOn) => onChange(addOns.filter((one) => (one === addOn) !== chosen.includes(one)));
  return (
    <fieldset className={css.choices}>
      <legend className="visually-hidden">Add-ons</legend>
      {addOns.map((addOn) => (
        <Checkbox
          key={addOn}
          label={addOnWords[addOn].name}
          note={owned.includes(addOn) ? "Already active" : addOnWords[addOn].text}
          checked={owned.includes(addOn) || chosen.includes(addOn)}
          disabled={owned.includes(addOn)}
          onChange={() => toggle(addOn)}
        />
      ))}
    </fieldset>
  );
}
