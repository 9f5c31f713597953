import { useSyncExternalStore } from "react";
import { createListeners } from "./listeners.ts";
import { readStored, writeStored } from "./storage.ts";
import { useMediaQuery } from "./use-media-query.ts";

const themes = ["light", "dark", "system"] as const;
export type Theme = (typeof themes)[number];

const key = "tc:theme";
const changes = createListeners();

export function storedTheme(): Theme {
  const stored = readStored("local", key);
  return themes.find((theme) => theme === stored) ?? "system";
}

export function setTheme(theme: Theme): void {
  writeStored("local", key, theme === "system" ? null : theme);
  apply(theme);
  changes.notify();
}

export const useTheme = (): Theme => useSyncExternalStore(changes.listen, storedTheme);

export function useShownTheme(): "light" | "dark" {
  const theme = useTheme();
  const systemIsDark = useMediaQuery("(prefers-color-scheme: dark)");
  if (theme !== "system") return theme;
  return systemIsDark ? "dark" : "light";
}

function apply(theme: Theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
