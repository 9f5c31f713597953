import { useCallback, useEffect, useRef, useState } from "react";
import type { Participant } from "#contract/presence.ts";
import { profileEndpoints } from "#contract/profile.ts";
import { call } from "../../lib/api-client.ts";
import { useLatest } from "../../lib/use-latest.ts";
import { connectPresence, type Doing, nothing, type PresenceConnection, type PresenceSelf } from "./presence-connection.ts";

export { type Doing, nothing };

export interface Presence {
  /** Everybody else who has the post open. */
  participants: readonly Participant[];
  /** Where the person is and what they do there; the same again may be told at every key. */
  setDoing(doing: Doing): void;
}

const nobody: readonly Participant[] = [];

/** Connects for an existing post; a new post (`postId` null) or an unknown person connects nowhere. Source: specification, section 4. */
export function usePresence(
  workspaceId: string | null,
  postId: string | null,
  self: PresenceSelf | null,
  onForbidden: () => void,
): Presence {
  const forbidden = useLatest(onForbidden);
  const [participants, setParticipants] = useState(nobody);
  const connection = useRef<PresenceConnection | null>(null);
  const doing = useRef(nothing);
  const { userId, fullName, avatarUrl } = self ?? {};

  useEffect(() => {
    if (!workspaceId || !postId || !userId) return;
    const opened = connectPresence({
      url: presenceUrl(workspaceId, postId),
      self: { userId, fullName: fullName ?? "", avatarUrl: avatarUrl ?? null },
      onParticipants: setParticipants,
      renewSession: () => call(profileEndpoints.me), // any call renews the session's cookie
      onForbidden: () => forbidden.current(),
    });
    opened.setDoing(doing.current); // the focus may have come before the first save
    connection.current = opened;
    return () => {
      connection.current = null;
      opened.close();
    };
  }, [workspaceId, postId, userId, fullName, avatarUrl, forbidden]);

  const setDoing = useCallback((now: Doing) => {
    doing.current = now;
    connection.current?.setDoing(now);
  }, []);

  return { participants, setDoing };
}

function presenceUrl(workspaceId: string, postId: string): string {
  const url = new URL(`/ws/presence/${workspaceId}/${postId}`, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}
