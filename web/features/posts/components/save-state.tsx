import { useOnline } from "../state/use-online.ts";
import css from "./save-state.module.css";

/** Whether the server has what is on the screen, in a word; announced when it changes. */
export function SaveState({ saved, dirty, busy }: { saved: boolean; dirty: boolean; busy: boolean }) {
  const online = useOnline();
  const words = busy ? "Saving..." : dirty ? (online ? "Unsaved changes" : "Offline: kept on this device") : saved ? "Saved" : "";
  return (
    <p className={css.state} role="status">
      {words}
    </p>
  );
}
