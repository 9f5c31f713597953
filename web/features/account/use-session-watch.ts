import { useEffect, useState } from "react";
import { profileEndpoints } from "#contract/profile.ts";
import { call } from "../../lib/api-client.ts";
import { onSessionChange } from "../../lib/session-channel.ts";
import { useLatest } from "../../lib/use-latest.ts";

/** Checks the session's user when the page becomes visible or another tab announces a change, so that autosave never runs as another user. True once the user differs; `onSame` runs if not. */
export function useSessionWatch(userId: string | undefined, onSame: () => void): boolean {
  const [replaced, setReplaced] = useState(false);
  const latest = useLatest(onSame);
  useEffect(() => {
    if (userId === undefined) return;
    let isChecking = false;
    let isDisposed = false;
    async function check() {
      if (isChecking) return;
      isChecking = true;
      const now = await call(profileEndpoints.me).catch(() => undefined); // no response: unknown
      isChecking = false;
      if (isDisposed || !now) return;
      if (now.profile.user_id === userId) latest.current();
      else setReplaced(true);
    }
    const listener = () => void (document.visibilityState === "visible" && check());
    const stopListening = onSessionChange(() => void check());
    document.addEventListener("visibilitychange", listener);
    window.addEventListener("focus", listener);
    return () => {
      isDisposed = true;
      stopListening();
      document.removeEventListener("visibilitychange", listener);
      window.removeEventListener("focus", listener);
    };
  }, [userId, latest]);
  return replaced;
}
