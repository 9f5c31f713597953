import { RealtimeClient, type RealtimeChannel } from "@supabase/realtime-js";
import type { Env } from "../_shared/env.ts";
import { RestDatabase } from "../_shared/rest.ts";
import type { Identity } from "../_shared/tokens.ts";

export interface Person {
  fullName: string;
  avatarUrl: string | null;
}

export async function readPerson(env: Env, user: Identity): Promise<Person> {
  const { data } = await new RestDatabase(env, user.token)
    .from("profiles")
    .select("full_name, avatar_url")
    .eq("user_id", user.id)
    .maybeSingle();
  if (!data) return { fullName: user.email.split("@")[0] || "Someone", avatarUrl: null };
  return { fullName: data.full_name as string, avatarUrl: data.avatar_url as string | null };
}

export type Membership = "member" | "viewer" | "removed" | "signed out";

export async function standingOf(env: Env, user: Identity, workspaceId: string): Promise<Membership> {
  const { data, error } = await new RestDatabase(env, user.token).rpc("workspace_role", { workspace_id: workspaceId });
  if (error) return error.hint === "unauthenticated" ? "signed out" : "member";
  if (data === "viewer") return data;
  return data === null ? "removed" : "member";
}

export interface PostChannel {
  channel: RealtimeChannel;
  close(): void;
}

export interface ChannelOptions {
  user: Identity;
  workspaceId: string;
  postId: string;
  tab: string;
  onEnding(): void;
}

/** Private channel joined with the user's token; RLS policies on realtime.messages apply. */
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
