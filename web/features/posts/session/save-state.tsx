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
  itself: boolean;
  /** This device holds a copy. */
  kept: boolean;
}

/** Whether the server has what is on the screen, in a word. Told to screen readers only when it is no matter of course: it changes at every rest. */
export function SaveState({ saved, dirty, busy, itself, kept }: SaveStateProps) {
  const online = useOnline();
  const words = online ? onlineWords(busy, dirty, itself, saved) : offlineWords(dirty, saved, kept);
  const ofCourse = words === "Saving…" || words === "Saved";
  return (
    <p className={css.state} role="status" aria-live={ofCourse ? "off" : "polite"}>
      {words}
    </p>
  );
}

function onlineWords(busy: boolean, dirty: boolean, itself: boolean, saved: boolean): string {
  if (busy || (dirty && itself)) return "Saving…";
  if (dirty) return "Unsaved changes";
  return saved ? "Saved" : "";
}

function offlineWords(dirty: boolean, saved: boolean, kept: boolean): string {
  if (dirty) return kept ? "Offline, saved here" : "Offline, not saved";
  return saved ? "Saved" : "";
}
