import { autosaveRestMs, type Command, type State, type Timer } from "./state.ts";
import type { Notice, SaveTrouble } from "./write.ts";

const longestRestMs = 60_000;

/** A state that is being made, field by field, and the commands so far. */
export interface Turn {
  state: State;
  commands: Command[];
}

export function wait({ state, commands }: Turn, timer: Timer, ms: number): void {
  if (state.left) return;
  state.running = { ...state.running, [timer]: true };
  commands.push({ do: "start", timer, ms });
}

export function stop({ state, commands }: Turn, timer: Timer): void {
  if (state.running[timer]) commands.push({ do: "stop", timer });
  state.running = { ...state.running, [timer]: false };
}

export function storeDraft(turn: Turn): void {
  stop(turn, "draft");
  turn.commands.push({ do: "store-draft" });
}

export function clearDraft(turn: Turn): void {
  stop(turn, "draft");
  turn.commands.push({ do: "clear-draft" });
}

/** A try that may succeed later: it is made again, ever more rarely. */
export const willPass = (trouble: SaveTrouble | null): boolean => trouble?.reason === "unanswered" || trouble?.reason === "unknown";

export function setTrouble(turn: Turn, trouble: SaveTrouble | null): void {
  const { state } = turn;
  state.trouble = trouble;
  if (willPass(trouble)) {
    stop(turn, "longest"); // not faster than the rest grows
    wait(turn, "autosave", state.restMs);
  }
  state.restMs = willPass(trouble) ? Math.min(2 * state.restMs, longestRestMs) : autosaveRestMs;
}

export function say({ commands }: Turn, tone: "success" | "error", notice: Notice | null): void {
  if (notice) commands.push({ do: "say", tone: notice.isWarning ? "warning" : tone, notice });
}
