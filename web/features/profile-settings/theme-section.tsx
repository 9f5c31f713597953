import { useState } from "react";
import { type Choice, ChoiceGroup } from "../../components/choice-group.tsx";
import { Section } from "../../components/section.tsx";
import { setTheme, storedTheme, type Theme } from "../../lib/theme.ts";

const choices: readonly Choice<Theme>[] = [
  { value: "light", label: "Light", icon: "sun" },
  { value: "dark", label: "Dark", icon: "moon" },
  { value: "system", label: "System", icon: "desktop" },
];

/** Light, dark, or whatever the system says; shown at once and kept in this browser. */
export function ThemeSection() {
  const [theme, choose] = useState(storedTheme);
  const onChange = (next: Theme) => {
    setTheme(next);
    choose(next);
  };
  return (
    <Section title="Light or dark" text="In this browser." anchor="appearance">
      <ChoiceGroup legend="Theme" hideLegend choices={choices} value={theme} onChange={onChange} />
    </Section>
  );
}
