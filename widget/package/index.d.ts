export interface MountOptions {
  origin: string;
  workspace: string;
  selector?: string | undefined;
  /** Keys of tags, separated by commas: only posts with one of them. */
  tags?: string | undefined;
  /** A language of the public page, such as "de", in place of the page's own. */
  locale?: string | undefined;
  /** The version of your product that the reader has. */
  version?: string | undefined;
  /** For a private changelog: a token of the reader, or the key at the end of the secret link. */
  key?: string | undefined;
  /** Element that the list of posts is shown in, in place of a button. */
  into?: string | undefined;
  /** false: readers aren't counted before `consent()` is called. */
  consent?: boolean | undefined;
}

export type WidgetEvent = "ready" | "open" | "close" | "unread" | "post";

export interface EventDetail {
  workspace: string;
  count?: number;
  post?: { id: string; title: string; url: string };
}

/** A call without a workspace applies to every widget on the page. */
export interface TidingsApi {
  mount(options: MountOptions): void;
  /** Shows posts for the reader whom a token of your server identifies. A function is called whenever a token is needed. */
  identify(reader: string | (() => string | Promise<string>)): void;
  /** Shows posts for everyone again, as after signing out. */
  forget(): void;
  open(workspace?: string): void;
  close(workspace?: string): void;
  toggle(workspace?: string): void;
  destroy(workspace?: string): void;
  /** As if the reader had opened the panel. */
  markAllSeen(workspace?: string): void;
  consent(workspace?: string): void;
  /** The number of posts that this browser hasn't seen. */
  unreadCount(workspace?: string): number;
  on(event: WidgetEvent, handler: (detail: EventDetail) => void): void;
  off(event: WidgetEvent, handler: (detail: EventDetail) => void): void;
}

/** Undefined on a server. */
export const Tidings: TidingsApi;
