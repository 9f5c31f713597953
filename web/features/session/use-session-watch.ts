import { useEffect, useState } from "react";
import { profileEndpoints } from "#contract/profile.ts";
import { call } from "../../lib/api-client.ts";
import { onSessionNews } from "../../lib/session-news.ts";
import { useLatest } from "../../lib/use-latest.ts";

/**
 * Looks whose session the browser has whenever the page is shown again, and when another tab begins or ends one: it may have become
 * somebody else's, and what saves itself must not go out in their name.
 * Returns whether it is somebody else's now; `onSame` hears that it still is `userId`'s. An ended session tells onSessionEnded by itself.
 */
export function useSessionWatch(userId: string | undefined, onSame: () => void): boolean {
  const [replaced, setReplaced] = useState(false);
  const latest = useLatest(onSame);
  useEffect(() => {
    if (userId === undefined) return;
    let looking = false;
    let over = false;
    async function look() {
      if (looking) return;
      looking = true;
      const now = await call(profileEndpoints.me).catch(() => undefined); // no answer tells nothing
      looking = false;
      if (over || !now) return;
      if (now.profile.user_id === userId) latest.current();
      else setReplaced(true);
    }
    const listener = () => void (document.visibilityState === "visible" && look());
    const stopListening = onSessionNews(() => void look());
    document.addEventListener("visibilitychange", listener);
    window.addEventListener("focus", listener);
    return () => {
      over = true;
      stopListening();
      document.removeEventListener("visibilitychange", listener);
      window.removeEventListener("focus", listener);
    };
  }, [userId, latest]);
  return replaced;
}
