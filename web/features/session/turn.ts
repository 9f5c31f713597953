import { autosaveDebounceMs, type Command, type State, type Timer } from "./state.ts";
import type { Notice, SaveTrouble } from "./write.ts";

const maxDebounceMs = 60_000;

export interface Turn {
  state: State;
  commands: Command[];
}

export function startTimer({ state, commands }: Turn, timer: Timer, ms: number): void {
  if (state.hasLeft) return;
  state.running = { ...state.running, [timer]: true };
  commands.push({ do: "start", timer, ms });
}

export function stopTimer({ state, commands }: Turn, timer: Timer): void {
  if (state.running[timer]) commands.push({ do: "stop", timer });
  state.running = { ...state.running, [timer]: false };
}

export function storeDraft(turn: Turn): void {
  stopTimer(turn, "draft");
  turn.commands.push({ do: "store-draft" });
}

export function clearDraft(turn: Turn): void {
  stopTimer(turn, "draft");
  turn.commands.push({ do: "clear-draft" });
}

export const willRetry = (trouble: SaveTrouble | null): boolean => trouble?.reason === "unanswered" || trouble?.reason === "unknown";

export function setTrouble(turn: Turn, trouble: SaveTrouble | null): void {
  const { state } = turn;
  state.trouble = trouble;
  if (willRetry(trouble)) {
    stopTimer(turn, "maxWait");
    startTimer(turn, "autosave", state.debounceMs);
  }
  state.debounceMs = willRetry(trouble) ? Math.min(2 * state.debounceMs, maxDebounceMs) : autosaveDebounceMs;
}

export function notify({ commands }: Turn, tone: "success" | "error", notice: Notice | null): void {
  if (notice) commands.push({ do: "notify", tone: notice.isWarning ? "warning" : tone, notice });
}
