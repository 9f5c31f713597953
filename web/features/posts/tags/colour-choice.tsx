import { useId } from "react";
import { tagColours, type TagColour } from "#contract/tags.ts";
import { Row } from "../../../ui/layout.tsx";
import css from "./tags.module.css";

export function ColourChoice({ value, onChange }: { value: TagColour; onChange(colour: TagColour): void }) {
  const name = useId();
  return (
    <Row as="fieldset" gap={1}>
      <legend className="visually-hidden">Colour</legend>
      {tagColours.map((colour) => (
        <label key={colour} className={css.colour} title={colour} style={{ color: `var(--tag-${colour})` }}>
          <input type="radio" name={name} aria-label={colour} checked={value === colour} onChange={() => onChange(colour)} />
        </label>
      ))}
    </Row>
  );
}
