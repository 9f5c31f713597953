import { useCallback, useEffect, useRef, useState } from "react";
import type { Participant } from "#contract/presence.ts";
import { profileEndpoints } from "#contract/profile.ts";
import { call } from "../../lib/api-client.ts";
import { useLatest } from "../../lib/use-latest.ts";
import { connectPresence, type PresenceConnection, type PresenceSelf } from "./presence-connection.ts";

export interface Presence {
  /** Everybody else who has the post open. */
  participants: readonly Participant[];
  /** True when title or body has the focus, false when it has left. */
  setEditing(isEditing: boolean): void;
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
  const editing = useRef(false);
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
    opened.setEditing(editing.current); // the focus may have come before the first save
    connection.current = opened;
    return () => {
      connection.current = null;
      opened.close();
    };
  }, [workspaceId, postId, userId, fullName, avatarUrl, forbidden]);

  const setEditing = useCallback((isEditing: boolean) => {
    editing.current = isEditing;
    connection.current?.setEditing(isEditing);
  }, []);

  return { participants, setEditing };
}

function presenceUrl(workspaceId: string, postId: string): string {
  const url = new URL(`/ws/presence/${workspaceId}/${postId}`, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}
