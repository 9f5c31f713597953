import { useId } from "react";
import { accentColours, contrast, leastContrast } from "#contract/rules/accent.ts";
import { Button } from "../../ui/button.tsx";
import { FieldFrame } from "../../ui/field-frame.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Input } from "../../ui/input.tsx";
import { classNames } from "../../lib/class-names.ts";
import { useFormField } from "../../lib/use-form-field.ts";
import { Grid, Row, Stack, Text } from "../../ui/layout.tsx";
import css from "./appearance.module.css";

const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** Accent colour with a preview of its contrast. */
export function AccentField({ disabled }: { disabled: boolean }) {
  const id = useId();
  const { input, meta } = useFormField<string>("accent", { format: (value) => value ?? "", parse: (value) => value });
  const typed = input.value.trim().toLowerCase();
  const chosen = isColour(typed) ? typed : null;
  const error =
    (meta.touched && meta.error) || (meta.submitError && !meta.dirtySinceLastSubmit) ? String(meta.error ?? meta.submitError) : undefined;
  return (
    <Stack style={{ width: "100%" }}>
      <FieldFrame
        id={id}
        label="Accent colour"
        error={error}
        hint="For links and buttons. Adjusted where it would be hard to read."
        aside={
          <Row>
            <input
              type="color"
              className={css.well}
              aria-label="Pick the accent colour"
              disabled={disabled}
              value={chosen ?? accentColours(null).light.accent}
              onChange={(event) => input.onChange(event.target.value)}
            />
            <Input
              {...input}
              id={id}
              className={css.hex}
              placeholder="#0b6b62"
              maxLength={20}
              disabled={disabled}
              spellCheck={false}
              autoCapitalize="none"
              autoComplete="off"
              aria-invalid={error !== undefined}
              aria-describedby={[error && `${id}-error`, `${id}-hint`].filter(Boolean).join(" ")}
            />
          </Row>
        }
      >
        {input.value !== "" && !disabled && (
          <Button variant="quiet" size="small" style={{ justifySelf: "end" }} onClick={() => input.onChange("")}>
            Use default
          </Button>
        )}
      </FieldFrame>
      {(typed === "" || chosen !== null) && <ColourSamples chosen={chosen} />}
    </Stack>
  );
}

function ColourSamples({ chosen }: { chosen: string | null }) {
  const colours = accentColours(chosen);
  return (
    <Grid as="ul" min="9rem" gap={3} aria-label="Colour contrast" aria-live="polite">
      {(["light", "dark"] as const).map((side) => {
        const { accent, onAccent } = colours[side];
        // Contrast: the lower of text on the page and text on a button.
        const least = Math.min(leastContrast(accent, side), contrast(accent, onAccent));
        return (
          <li key={side} className={classNames(css.sample, css[side])}>
            <span style={{ color: accent, textDecoration: "underline" }}>Link</span>
            <span className={css.button} style={{ background: accent, color: onAccent }}>
              Button
            </span>
            <Text as="span" size="small">
              <Icon name={side === "light" ? "sun" : "moon"} /> <code>{accent}</code> {contrastNote(chosen, accent, side)}, contrast{" "}
              {least.toFixed(1)}:1
            </Text>
          </li>
        );
      })}
    </Grid>
  );
}

function contrastNote(chosen: string | null, accent: string, side: "light" | "dark"): string {
  if (chosen === null) return "default";
  if (chosen === accent) return "as chosen";
  return side === "light" ? "darkened" : "lightened";
}
