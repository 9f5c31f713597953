import { useEffect } from "react";
import { z } from "zod";
import { id } from "#contract/fields.ts";
import { currentSession, realtimeClient } from "../../lib/realtime.ts";
import { emitCommentsChanged, emitMissed, emitPostEvent } from "./post-events.ts";
import { emitReviews } from "../review/review-events.ts";
import { batchAnnouncements } from "./announced-posts.ts";

const upserted = z.object({ post_id: id, version: z.int(), autosaved: z.boolean().default(false) });
const removed = z.object({ workspace_id: id, post_id: id });
const postRef = z.object({ post_id: id });
const memberLeft = z.object({ user_id: id });

const retryMs = 15_000;

/**
 * Subscribes to a workspace's post changes over Realtime. Retries when disconnected. Once subscribed, lists and the open post are read again: what
 * changed since the page read them wasn't announced here.
 */
export function useLivePosts(workspaceId: string): void {
  useEffect(() => {
    const aborter = new AbortController();
    let state: "off" | "connecting" | "on" = "off";
    let timer: ReturnType<typeof setTimeout> | undefined;

    const onSubscribed = () => emitMissed(workspaceId);
    async function connect() {
      if (state !== "off") return;
      state = "connecting";
      try {
        if (await listen(workspaceId, aborter.signal, { onSubscribed, onClosed })) state = "on";
        else onClosed();
      } catch (error) {
        console.warn("Live updates of the posts are off.", error);
        onClosed();
      }
    }
    function onClosed() {
      state = "off";
      clearTimeout(timer);
      if (!aborter.signal.aborted) timer = setTimeout(retry, retryMs);
    }
    const retry = () => void (document.visibilityState === "visible" && connect());
    void connect();
    window.addEventListener("online", retry, { signal: aborter.signal });
    document.addEventListener("visibilitychange", retry, { signal: aborter.signal });
    return () => {
      aborter.abort();
      clearTimeout(timer);
    };
  }, [workspaceId]);
}

interface Listener {
  onSubscribed(): void;
  /** The server ended the subscription, as after an expired session: realtime-js doesn't reconnect. */
  onClosed(): void;
}

/** True if subscribed; realtime-js then reconnects by itself after a break. */
async function listen(workspaceId: string, signal: AbortSignal, { onSubscribed, onClosed }: Listener): Promise<boolean> {
  const client = await realtimeClient();
  await client.setAuth();
  const session = currentSession();
  if (signal.aborted || !session) return false;
  const self = session.user?.id;
  const aborter = new AbortController();
  const end = () => {
    aborter.abort();
    void client.removeChannel(channel);
  };
  const announce = batchAnnouncements(workspaceId, aborter.signal);
  const channel = client
    .channel(`workspace:${workspaceId}`, { config: { private: true } })
    .on("broadcast", { event: "post-upserted" }, ({ payload }) => {
      const event = upserted.safeParse(payload);
      if (event.success) announce(event.data.post_id, event.data.version, event.data.autosaved);
    })
    .on("broadcast", { event: "post-removed" }, ({ payload }) => {
      const event = removed.safeParse(payload);
      if (event.success) emitPostEvent({ type: "post-removed", workspaceId: event.data.workspace_id, postId: event.data.post_id });
    })
    .on("broadcast", { event: "comments-changed" }, ({ payload }) => {
      const event = postRef.safeParse(payload);
      if (event.success) emitCommentsChanged(event.data.post_id);
    })
    .on("broadcast", { event: "tags-changed" }, () => emitMissed(workspaceId)) // tag changes don't raise a post's version
    .on("broadcast", { event: "posts-imported" }, () => emitMissed(workspaceId))
    .on("broadcast", { event: "reviews-changed" }, ({ payload }) => {
      const event = postRef.safeParse(payload);
      if (event.success) emitReviews(event.data.post_id);
    })
    .on("broadcast", { event: "member-left" }, ({ payload }) => {
      if (memberLeft.safeParse(payload).data?.user_id === self) end(); // hosted Supabase keeps the channel open until the token is renewed
    });
  channel.subscribe((status) => {
    if (aborter.signal.aborted || signal.aborted) return;
    if (status === "SUBSCRIBED") return onSubscribed();
    if (status !== "CLOSED") return;
    end();
    onClosed();
  });
  signal.addEventListener("abort", end);
  return true;
}
