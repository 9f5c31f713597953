import { Tidings } from "./index.js";

/** Users of each workspace's widget: components may share it, and the last one removes it. */
const users = new Map();

/** Calls `onUnread` now and at each change. Returns what ends it. */
export function start(options, onUnread) {
  const workspace = options.workspace.trim().toLowerCase();
  const update = (detail) => detail.workspace === workspace && onUnread(detail.count);
  Tidings.on("unread", update);
  users.set(workspace, (users.get(workspace) ?? 0) + 1);
  Tidings.mount({ ...options, workspace });
  onUnread(Tidings.unreadCount(workspace));
  return () => {
    Tidings.off("unread", update);
    const left = users.get(workspace) - 1;
    users.set(workspace, left);
    if (left === 0) Tidings.destroy(workspace);
  };
}

/** The calls of one workspace's widget; on a server they do nothing. */
export const callsOf = (workspace) => ({
  open: () => Tidings?.open(workspace()),
  close: () => Tidings?.close(workspace()),
  toggle: () => Tidings?.toggle(workspace()),
  markAllSeen: () => Tidings?.markAllSeen(workspace()),
});
