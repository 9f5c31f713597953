import type { IconName } from "../../../ui/icon.tsx";

export interface Command {
  id: string;
  label: string;
  icon: IconName;
  words?: string;
  keys?: string;
  run(): void;
}

/** Commands in which every typed word starts a word; all for an empty term. */
export function matchingCommands(commands: readonly Command[], term: string): Command[] {
  const typed = term.trim().toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ label, words = "" }) => {
    const own = `${label} ${words}`.toLowerCase().split(/\s+/);
    return typed.every((word) => own.some((one) => one.startsWith(word)));
  });
}
