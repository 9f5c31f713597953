import { useId, useState } from "react";
import { Icon, type IconName } from "../../../components/icon.tsx";
import { Section } from "../../../components/section.tsx";
import { setTheme, storedTheme, themes, type Theme } from "../../../lib/theme.ts";
import css from "./theme-section.module.css";

const looks: Readonly<Record<Theme, { label: string; icon: IconName }>> = {
  light: { label: "Light", icon: "sun" },
  dark: { label: "Dark", icon: "moon" },
  system: { label: "System", icon: "desktop" },
};

/** Light, dark, or whatever the system says; shown at once and kept in this browser. */
export function ThemeSection() {
  const id = useId();
  const [theme, choose] = useState(storedTheme);
  return (
    <Section title="Appearance" text="In this browser." anchor="appearance">
      <fieldset className={css.themes}>
        <legend className="visually-hidden">Theme</legend>
        {themes.map((one) => (
          <label key={one} className={css.theme}>
            <input
              type="radio"
              name={id}
              value={one}
              checked={theme === one}
              onChange={() => {
                setTheme(one);
                choose(one);
              }}
            />
            <Icon name={looks[one].icon} />
            {looks[one].label}
          </label>
        ))}
      </fieldset>
    </Section>
  );
}
