import { type Choice, ChoiceGroup } from "../../components/choice-group.tsx";
import { Section } from "../../components/section.tsx";
import { setTheme, type Theme, useTheme } from "../../lib/theme.ts";

const choices: readonly Choice<Theme>[] = [
  { value: "light", label: "Light", icon: "sun" },
  { value: "dark", label: "Dark", icon: "moon" },
  { value: "system", label: "System", icon: "desktop" },
];

/** Stored in this browser. */
export function ThemeSection() {
  return (
    <Section title="Theme" text="For this browser.">
      <ChoiceGroup legend="Theme" hideLegend choices={choices} value={useTheme()} onChange={setTheme} />
    </Section>
  );
}
