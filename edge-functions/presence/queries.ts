import { RealtimeClient, type RealtimeChannel } from "@supabase/realtime-js";
import type { Env } from "../_shared/env.ts";
import { RestDatabase } from "../_shared/rest.ts";
import type { Identity } from "../_shared/tokens.ts";

export interface Person {
  fullName: string;
  avatarUrl: string | null;
}

/** How a person is shown: by the profile, or by the part of the email before the @ while that cannot be read. */
export async function readPerson(env: Env, user: Identity): Promise<Person> {
  const { data } = await new RestDatabase(env, user.token)
    .from("profiles")
    .select("full_name, avatar_url")
    .eq("user_id", user.id)
    .maybeSingle();
  if (!data) return { fullName: user.email.split("@")[0] || "Someone", avatarUrl: null };
  return { fullName: data.full_name as string, avatarUrl: data.avatar_url as string | null };
}

/** Whether somebody may be at a workspace's posts, there only to read, or why not. */
export type Standing = "member" | "viewer" | "removed" | "signed out";

/** A member unless the database says otherwise: an outage removes nobody. */
export async function standingOf(env: Env, user: Identity, workspaceId: string): Promise<Standing> {
  const { data, error } = await new RestDatabase(env, user.token).rpc("workspace_role", { workspace_id: workspaceId });
  if (error) return error.hint === "unauthenticated" ? "signed out" : "member";
  if (data === "viewer") return data;
  return data === null ? "removed" : "member";
}

export interface PostChannel {
  channel: RealtimeChannel;
  close(): void;
}

/** Where and as what a person opens a post's channel; `tab` is the key of this connection in it. */
export interface ChannelOptions {
  user: Identity;
  workspaceId: string;
  postId: string;
  tab: string;
  /** Called when the database announces that this person has left the workspace, or has ended a session: perhaps this one. */
  onEnding(): void;
}

/** The private channel of one post, joined with the person's own token: the policies on realtime.messages decide. */
export function openChannel(env: Env, { user, workspaceId, postId, tab, onEnding }: ChannelOptions): PostChannel {
  const address = `${env.supabaseUrl.replace(/^http/, "ws")}/realtime/v1`;
  const client = new RealtimeClient(address, { params: { apikey: env.publishableKey } });
  void client.setAuth(user.token);
  const ours = ({ payload }: { payload: { user_id?: unknown } }) => void (payload.user_id === user.id && onEnding());
  client
    .channel(`workspace:${workspaceId}`, { config: { private: true } })
    .on("broadcast", { event: "member-left" }, ours)
    .on("broadcast", { event: "session-ended" }, ours)
    .subscribe();
  const config = { private: true, presence: { key: tab, enabled: true }, broadcast: { self: false } };
  const channel = client.channel(`presence:${workspaceId}:${postId}`, { config });
  const close = () => {
    void client.removeAllChannels();
    void client.disconnect();
  };
  return { channel, close };
}
