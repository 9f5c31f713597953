import type { IconName } from "../../../components/icon.tsx";

/** Something that the palette can do. */
export interface Command {
  id: string;
  label: string;
  icon: IconName;
  /** By what else it is found. */
  words?: string;
  /** The keys that do it without the palette. */
  keys?: string;
  run(): void;
}

/** Those whose words begin with what was typed, word by word; all of them for nothing. */
export function matchingCommands(commands: readonly Command[], term: string): Command[] {
  const wanted = term.trim().toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ label, words = "" }) => {
    const own = `${label} ${words}`.toLowerCase().split(/\s+/);
    return wanted.every((word) => own.some((one) => one.startsWith(word)));
  });
}
