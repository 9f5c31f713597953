/** Notifies other tabs that the session began, ended or changed user. */
const channelName = "tidings:session";

export function announceSession(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(null); // oxlint-disable-line unicorn/require-post-message-target-origin -- a channel stays within its origin
  channel.close();
}

export function onSessionChange(listener: () => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = listener;
  return () => channel.close();
}
