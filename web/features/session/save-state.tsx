import { relativeTime } from "#contract/rules/relative-time.ts";
import { moment } from "../../lib/moment.ts";
import { useOnline } from "./use-online.ts";
import { Text } from "../../ui/layout.tsx";
import css from "./session.module.css";

interface SaveStateProps {
  /** When the post was last saved; null before. */
  savedAt: string | null;
  dirty: boolean;
  busy: boolean;
  autosaves: boolean;
  hasLocalCopy: boolean;
  behind: boolean;
  now: Date;
  short?: boolean;
}

/** Shown instead of "Saved" for an outdated version. */
const catchingUp = "Catching up…";

const unsaved = "Unsaved changes";
const Short = () => (
  <>
    Unsaved<span className="visually-hidden"> changes</span>
  </>
);

/** The save state in a word. Announced to screen readers only if unusual: it changes at every autosave. */
export function SaveState({ savedAt, dirty, busy, autosaves, hasLocalCopy, behind, now, short = false }: SaveStateProps) {
  const online = useOnline();
  const saved = savedAt !== null;
  const state = online ? onlineWords(busy, dirty, autosaves, saved, behind) : offlineWords(dirty, saved, hasLocalCopy, behind);
  const isRoutine = state === "Saving…" || state === "Saved" || state === catchingUp;
  const words = state === "Saved" && !short ? `Saved · ${relativeTime(savedAt!, now).replace(/^Just/, "just")}` : state;
  return (
    <Text
      size="small"
      tone="muted"
      truncate
      className={css.state}
      role="status"
      aria-live={isRoutine ? "off" : "polite"}
      title={state === "Saved" ? moment(savedAt!) : short ? words : undefined}
    >
      {short && words === unsaved ? <Short /> : words}
    </Text>
  );
}

function onlineWords(busy: boolean, dirty: boolean, autosaves: boolean, saved: boolean, behind: boolean): string {
  if (busy || (dirty && autosaves)) return "Saving…";
  if (dirty) return unsaved;
  if (behind) return catchingUp;
  return saved ? "Saved" : "";
}

function offlineWords(dirty: boolean, saved: boolean, hasLocalCopy: boolean, behind: boolean): string {
  if (dirty) return hasLocalCopy ? "Offline. Saved on this device" : "Offline. Not saved";
  if (behind) return "Offline";
  return saved ? "Saved" : "";
}
