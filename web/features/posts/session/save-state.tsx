import { useOnline } from "./use-online.ts";
import css from "./save-state.module.css";

interface SaveStateProps {
  /** The server has the post. */
  saved: boolean;
  /** Something on the screen is not on the server. */
  dirty: boolean;
  /** A write is under way. */
  busy: boolean;
  /** What is unsaved goes to the server by itself. */
  autosaves: boolean;
  /** This device holds a copy. */
  kept: boolean;
  /** There is a newer version, which is not on the screen. */
  behind: boolean;
  /** There is little room. */
  short?: boolean;
}

/** Never "Saved" of an earlier version as if it were the newest. */
const catchingUp = "Catching up…";

const unsaved = "Unsaved changes";
const Short = () => (
  <>
    Unsaved<span className="visually-hidden"> changes</span>
  </>
);

/** Whether the server has what is on the screen, in a word. Told to screen readers only when it is no matter of course: it changes at every rest. */
export function SaveState({ saved, dirty, busy, autosaves, kept, behind, short = false }: SaveStateProps) {
  const online = useOnline();
  const words = online ? onlineWords(busy, dirty, autosaves, saved, behind) : offlineWords(dirty, saved, kept, behind);
  const ofCourse = words === "Saving…" || words === "Saved" || words === catchingUp;
  return (
    <p className={css.state} role="status" aria-live={ofCourse ? "off" : "polite"} title={short ? words : undefined}>
      {short && words === unsaved ? <Short /> : words}
    </p>
  );
}

function onlineWords(busy: boolean, dirty: boolean, autosaves: boolean, saved: boolean, behind: boolean): string {
  if (busy || (dirty && autosaves)) return "Saving…";
  if (dirty) return unsaved;
  if (behind) return catchingUp;
  return saved ? "Saved" : "";
}

function offlineWords(dirty: boolean, saved: boolean, kept: boolean, behind: boolean): string {
  if (dirty) return kept ? "Offline, saved here" : "Offline, not saved";
  if (behind) return "Offline";
  return saved ? "Saved" : "";
}
