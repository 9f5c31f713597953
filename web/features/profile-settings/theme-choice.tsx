import { type Choice, ChoiceGroup } from "../../ui/choice-group.tsx";
import { setTheme, type Theme, useTheme } from "../../lib/theme.ts";

const choices: readonly Choice<Theme>[] = [
  { value: "light", label: "Light", icon: "sun" },
  { value: "dark", label: "Dark", icon: "moon" },
  { value: "system", label: "System", icon: "desktop" },
];

/** Stored in this browser. */
export function ThemeChoice() {
  return <ChoiceGroup legend="Theme" hideLegend choices={choices} value={useTheme()} onChange={setTheme} />;
}
