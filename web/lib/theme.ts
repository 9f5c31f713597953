import { readStored, writeStored } from "./storage.ts";

const themes = ["light", "dark", "system"] as const;
export type Theme = (typeof themes)[number];

const key = "tc:theme";

export function storedTheme(): Theme {
  const stored = readStored("local", key);
  return themes.find((theme) => theme === stored) ?? "system";
}

/** Shows the theme at once and keeps it for the next visit. */
export function setTheme(theme: Theme): void {
  writeStored("local", key, theme === "system" ? null : theme);
  apply(theme);
}

export function applyStoredTheme(): void {
  apply(storedTheme());
}

function apply(theme: Theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
