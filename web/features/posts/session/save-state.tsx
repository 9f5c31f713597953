import { useOnline } from "./use-online.ts";
import css from "./save-state.module.css";

interface SaveStateProps {
  saved: boolean;
  dirty: boolean;
  busy: boolean;
  /** This device holds a copy. */
  kept: boolean;
}

/** Whether the server has what is on the screen, in a word; announced when it changes. */
export function SaveState({ saved, dirty, busy, kept }: SaveStateProps) {
  const online = useOnline();
  const unsaved = online ? "Unsaved changes" : kept ? "Offline: kept on this device" : "Offline: not saved";
  const words = busy ? "Saving..." : dirty ? unsaved : saved ? "Saved" : "";
  return (
    <p className={css.state} role="status">
      {words}
    </p>
  );
}
