import { useEffect } from "react";
import { z } from "zod";
import { id } from "#contract/fields.ts";
import { postSummary } from "#contract/posts.ts";
import { supabaseBrowser } from "../../../lib/supabase-browser.ts";
import { emitPostEvent } from "../model/post-events.ts";

const upserted = z.object({ workspace_id: id, post: postSummary });
const removed = z.object({ workspace_id: id, post_id: id });

/** Follows what colleagues and other tabs do to a workspace's posts, by Realtime. Without a connection the list still follows one's own saves. */
export function useLivePosts(workspaceId: string): void {
  useEffect(() => {
    const ended = new AbortController();
    void listen(workspaceId, ended.signal).catch((error: unknown) => console.warn("Live updates of the posts are off.", error));
    return () => ended.abort();
  }, [workspaceId]);
}

async function listen(workspaceId: string, signal: AbortSignal): Promise<void> {
  const client = await supabaseBrowser();
  const { data } = await client.auth.getSession(); // the channel is private: it wants the person's token
  if (signal.aborted || !data.session) return;
  await client.realtime.setAuth(data.session.access_token);
  const channel = client
    .channel(`workspace:${workspaceId}`, { config: { private: true } })
    .on("broadcast", { event: "post-upserted" }, ({ payload }) => {
      const event = upserted.safeParse(payload);
      if (event.success) emitPostEvent({ type: "post-upserted", workspaceId: event.data.workspace_id, post: event.data.post });
    })
    .on("broadcast", { event: "post-removed" }, ({ payload }) => {
      const event = removed.safeParse(payload);
      if (event.success) emitPostEvent({ type: "post-removed", workspaceId: event.data.workspace_id, postId: event.data.post_id });
    });
  if (signal.aborted) return;
  channel.subscribe();
  signal.addEventListener("abort", () => void client.removeChannel(channel));
}
