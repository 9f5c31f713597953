/** Tells the other tabs of this browser that the session has begun, ended or changed hands; they look for themselves. */
const channelName = "tidings:session";

export function announceSession(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(null); // oxlint-disable-line unicorn/require-post-message-target-origin -- a channel stays within its origin
  channel.close();
}

/** Calls `listener` when another tab announces a session; returns how to stop. */
export function onSessionNews(listener: () => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = listener;
  return () => channel.close();
}
