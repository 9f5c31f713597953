import { useCallback, useEffect, useRef, useState } from "react";
import type { Participant } from "#contract/presence.ts";
import { profileEndpoints } from "#contract/profile.ts";
import { call } from "../../lib/api-client.ts";
import { useLatest } from "../../lib/use-latest.ts";
import { connectPresence, type Activity, idleActivity, type PresenceConnection, type PresenceSelf } from "./presence-connection.ts";

export { type Activity as Doing, idleActivity as nothing };

export interface Presence {
  participants: readonly Participant[];
  /** May be called on every key. */
  setDoing(doing: Activity): void;
}

const noParticipants: readonly Participant[] = [];

/** Connects for existing posts and known users. Source: specification, section 4. */
export function usePresence(
  workspaceId: string | null,
  postId: string | null,
  self: PresenceSelf | null,
  onForbidden: () => void,
): Presence {
  const forbidden = useLatest(onForbidden);
  const [participants, setParticipants] = useState(noParticipants);
  const connection = useRef<PresenceConnection | null>(null);
  const doing = useRef(idleActivity);
  const { userId, fullName, avatarUrl } = self ?? {};

  useEffect(() => {
    if (!workspaceId || !postId || !userId) return;
    const opened = connectPresence({
      url: presenceUrl(workspaceId, postId),
      self: { userId, fullName: fullName ?? "", avatarUrl: avatarUrl ?? null },
      onParticipants: setParticipants,
      renewSession: () => call(profileEndpoints.me), // any call renews the session cookie
      onForbidden: () => forbidden.current(),
    });
    opened.setActivity(doing.current); // activity before the first save
    connection.current = opened;
    return () => {
      connection.current = null;
      opened.close();
    };
  }, [workspaceId, postId, userId, fullName, avatarUrl, forbidden]);

  const setDoing = useCallback((now: Activity) => {
    doing.current = now;
    connection.current?.setActivity(now);
  }, []);

  return { participants, setDoing };
}

function presenceUrl(workspaceId: string, postId: string): string {
  const url = new URL(`/ws/presence/${workspaceId}/${postId}`, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}
