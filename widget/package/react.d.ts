import type { MountOptions } from "./index.js";

export interface TidingsWidget {
  /** The number of posts that this browser hasn't seen. */
  unread: number;
  open(): void;
  close(): void;
  toggle(): void;
  /** As if the reader had opened the panel. */
  markAllSeen(): void;
}

/** Shows the widget as long as a component with this hook is mounted. Does nothing on a server. */
export function useTidings(options: MountOptions): TidingsWidget;
