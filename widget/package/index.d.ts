export interface MountOptions {
  /** The URL of your Tidings, such as https://tidings.example. */
  origin: string;
  /** The subdomain of your page. */
  workspace: string;
  /** Elements of your page that open the panel, instead of the widget's own button. */
  selector?: string | undefined;
  /** false: readers aren't counted before `consent()` is called. */
  consent?: boolean | undefined;
}

export type WidgetEvent = "ready" | "open" | "close" | "unread" | "post";

export interface EventDetail {
  workspace: string;
  /** For "unread". */
  count?: number;
  /** For "post". */
  post?: { id: string; title: string; url: string };
}

/** A call without a workspace applies to every widget on the page. */
export interface TidingsApi {
  mount(options: MountOptions): void;
  open(workspace?: string): void;
  close(workspace?: string): void;
  toggle(workspace?: string): void;
  destroy(workspace?: string): void;
  consent(workspace?: string): void;
  /** The number of posts that this browser hasn't seen. */
  unreadCount(workspace?: string): number;
  on(event: WidgetEvent, handler: (detail: EventDetail) => void): void;
  off(event: WidgetEvent, handler: (detail: EventDetail) => void): void;
}

/** Undefined on a server. */
export const Tidings: TidingsApi;
