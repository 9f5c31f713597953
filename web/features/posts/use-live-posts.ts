import { useEffect } from "react";
import { z } from "zod";
import { id } from "#contract/fields.ts";
import { supabaseBrowser } from "../../lib/supabase-browser.ts";
import { emitCommentsChanged, emitMissed, emitPostEvent } from "./post-events.ts";
import { emitReviews } from "./review/review-events.ts";
import { readAnnounced } from "./announced-posts.ts";

const upserted = z.object({ post_id: id, version: z.int(), autosaved: z.boolean().default(false) });
const removed = z.object({ workspace_id: id, post_id: id });
/** What is told of a post whose reviews or comments are others. */
const aboutPost = z.object({ post_id: id });
const left = z.object({ user_id: id });

/** What happens between the reading of a list and the first moment of listening is not heard; so long that may take before the list is read again. */
const quickMs = 1_000;
/** While nothing is heard it is tried again so often: somebody may have signed in again. */
const againMs = 15_000;

/**
 * Follows what colleagues and other tabs do to a workspace's posts, by Realtime. Without a connection the list still follows one's own
 * saves; when it comes back, the lists are told that they may have missed something.
 */
export function useLivePosts(workspaceId: string): void {
  useEffect(() => {
    const ended = new AbortController();
    const began = performance.now();
    let state: "off" | "beginning" | "on" = "off";
    let missed = false;
    let timer: ReturnType<typeof setTimeout> | undefined;

    function heard() {
      if (missed || performance.now() - began > quickMs) emitMissed(workspaceId);
      missed = true; // every later beginning follows a gap
    }
    async function begin() {
      if (state !== "off") return;
      state = "beginning";
      try {
        if (await listen(workspaceId, ended.signal, { heard, closed })) state = "on";
        else closed();
      } catch (error) {
        console.warn("Live updates of the posts are off.", error);
        missed = true;
        closed();
      }
    }
    function closed() {
      state = "off";
      clearTimeout(timer);
      if (!ended.signal.aborted) timer = setTimeout(retry, againMs);
    }
    const retry = () => void (document.visibilityState === "visible" && begin());
    void begin();
    window.addEventListener("online", retry, { signal: ended.signal });
    document.addEventListener("visibilitychange", retry, { signal: ended.signal });
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [workspaceId]);
}

interface Listener {
  /** Each time it hears from now on. */
  heard(): void;
  /** The server has ended it, as with a session that is over: nothing comes back by itself. */
  closed(): void;
}

/** Answers whether it listens; from then on supabase-js itself comes back after a break. */
async function listen(workspaceId: string, signal: AbortSignal, { heard, closed }: Listener): Promise<boolean> {
  const client = await supabaseBrowser();
  const { data } = await client.auth.getSession(); // the channel is private: it wants the person's token
  if (signal.aborted || !data.session) return false;
  await client.realtime.setAuth(data.session.access_token);
  if (signal.aborted) return false;
  const self = data.session.user.id;
  const ended = new AbortController();
  const end = () => {
    ended.abort();
    void client.removeChannel(channel);
  };
  const announced = readAnnounced(workspaceId, ended.signal);
  const channel = client
    .channel(`workspace:${workspaceId}`, { config: { private: true } })
    .on("broadcast", { event: "post-upserted" }, ({ payload }) => {
      const event = upserted.safeParse(payload);
      if (event.success) announced(event.data.post_id, event.data.version, event.data.autosaved);
    })
    .on("broadcast", { event: "post-removed" }, ({ payload }) => {
      const event = removed.safeParse(payload);
      if (event.success) emitPostEvent({ type: "post-removed", workspaceId: event.data.workspace_id, postId: event.data.post_id });
    })
    .on("broadcast", { event: "comments-changed" }, ({ payload }) => {
      const event = aboutPost.safeParse(payload);
      if (event.success) emitCommentsChanged(event.data.post_id);
    })
    .on("broadcast", { event: "tags-changed" }, () => emitMissed(workspaceId)) // posts have other tags and no newer version
    .on("broadcast", { event: "posts-imported" }, () => emitMissed(workspaceId)) // many at once
    .on("broadcast", { event: "reviews-changed" }, ({ payload }) => {
      const event = aboutPost.safeParse(payload);
      if (event.success) emitReviews(event.data.post_id);
    })
    .on("broadcast", { event: "member-left" }, ({ payload }) => {
      if (left.safeParse(payload).data?.user_id === self) end(); // hosted would let it go on until the token is renewed
    });
  channel.subscribe((status) => {
    if (ended.signal.aborted || signal.aborted) return;
    if (status === "SUBSCRIBED") return heard();
    if (status !== "CLOSED") return;
    end();
    closed();
  });
  signal.addEventListener("abort", end);
  return true;
}
