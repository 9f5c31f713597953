import type { IdentifiedWidgetData, WidgetPost } from "#contract/releases.ts";
import { ask, checked, load, type Post } from "./data.ts";
import { elsewhere } from "./element.ts";
import { loadMore } from "./load-more.ts";
import { markSeen, unreadCount } from "./seen.ts";
import { createView, type View } from "./view.ts";

export interface WidgetOptions {
  origin: string;
  workspace: string;
  selector?: string | undefined;
  /** Keys of tags, separated by commas. */
  tags?: string | undefined;
  locale?: string | undefined;
  /** The product's version that the reader has. */
  version?: string | undefined;
  /** For a private changelog: a token of the reader, or the key at the end of the secret link. */
  key?: string | undefined;
  /** By which the host page identifies the reader. */
  reader?: Reader | undefined;
  /** Element that the list of posts is shown in, in place of a button. */
  into?: string | undefined;
}

/** A token, or a function that gets one. */
export type Reader = string | (() => string | Promise<string>);

/** `mark`: tells the server what the reader has seen. */
export type Data = IdentifiedWidgetData & { mark?: () => void };

export type Emit = (
  event: "ready" | "open" | "close" | "unread" | "post",
  detail: { workspace: string; count?: number; post?: { id: string; title: string; url: string } },
) => void;

export interface Widget {
  options: WidgetOptions;
  open(): void;
  close(): void;
  toggle(): void;
  unread(): number;
  markAllSeen(): void;
  /** Removes element, listeners, timers and requests. */
  destroy(): void;
}

/** Appears once the page is loaded and visible, the data arrived and the delay is over; on failure never. */
export function startWidget(options: WidgetOptions, emit: Emit, mayCount: () => boolean, onDestroy: () => void): Widget {
  const { origin, workspace, selector, tags, locale, version, key, into, reader } = options;
  const ended = new AbortController();
  const { signal } = ended;
  let view: View | null = null;
  let unread = 0;
  /** Open or close call from before the widget appeared. */
  let wanted: boolean | null = null;
  let hurry = (): void => {};
  let isSeen = false;
  let markAllSeen = (): void => void (isSeen = true);

  // JSON leaves out what isn't set.
  const query = new URLSearchParams(JSON.parse(JSON.stringify({ workspace, tags, locale, version, key })) as Record<string, string>);
  const address = (name: string): string => `${origin}/releases/${name}?${query}`;
  /** Tracking pixel; browsers request it once a day. */
  const count = (what: string): void => void (mayCount() && ask(address(`${what}.gif`), signal).catch(() => {}));

  const withMore = <Result>(use: (more: Awaited<ReturnType<typeof loadMore>>) => Promise<Result>): Promise<Result | void> =>
    loadMore(origin)
      .then(use)
      .catch(() => {});

  async function appear(): Promise<void> {
    if (selector) {
      document.querySelector(selector); // fails early on an invalid selector
      document.addEventListener("click", onClick, { signal });
    }
    await after("load", document.readyState === "complete", signal);
    const file = address("widget.json");
    // Without the second file, or while the page has no token: as for everyone.
    const own =
      (reader || location.search.includes("tidings-preview=")) &&
      (await withMore((more) => more.identified(file, reader, workspace, signal)));
    const data = checked<Data>(own || (await load(file, signal)));
    const { delay, autoOpenNewPosts } = data.settings.behaviour;
    await new Promise<void>((resolve) => {
      hurry = resolve;
      setTimeout(resolve, selector || wanted ? 0 : delay);
    });
    // Prerendered and background pages aren't seen.
    await after("visibilitychange", !document.hidden, signal);
    unread = unreadCount(workspace, data.posts);
    markAllSeen = () => {
      markSeen(workspace, data.posts);
      data.mark?.();
      view?.seen();
      if (unread > 0) emit("unread", { workspace, count: (unread = 0) });
    };
    if (isSeen) markAllSeen();
    const told = {
      ...{ data, workspace, into, origin, signal, read, count },
      opened: () => {
        emit("open", { workspace });
        count("widget.open");
        markAllSeen();
      },
      closed: () => emit("close", { workspace }),
    };
    const shown = (view = createView(told, unread, !(selector || into)));
    emit("ready", { workspace });
    count("widget.shown");
    emit("unread", { workspace, count: unread });
    if (wanted) shown.open(true);
    const isShown = (into || data.placed?.[0]) && (await withMore((more) => more.start(told, shown)));
    if (!isShown && wanted === null && autoOpenNewPosts && unread > 0) shown.open(false);
  }

  async function read({ id, slug, title, url, content }: Post): Promise<WidgetPost> {
    emit("post", { workspace, post: { id, title, url } });
    count(slug);
    return content ? { content } : load(address(`${slug}.widget.json`), signal);
  }

  const show = (open: boolean): void => {
    wanted = open;
    hurry();
    if (open) view?.open(true);
    else view?.close();
  };
  const toggle = (): void => show(!view?.isOpen());
  const onClick = (event: MouseEvent): void => {
    if (elsewhere(event) || !(event.target as Element).closest?.(selector as string)) return;
    event.preventDefault();
    toggle();
  };
  const destroy = (): void => {
    ended.abort();
    onDestroy();
  };
  // On failure clicks stay with the page, and it can be mounted again.
  void appear().catch(() => signal.aborted || destroy());

  return {
    options,
    open: () => show(true),
    close: () => show(false),
    toggle,
    unread: () => unread,
    markAllSeen: () => markAllSeen(),
    destroy,
  };
}

/** Resolves after the event and the page's own handlers; never after `signal` aborts. */
function after(event: "load" | "visibilitychange", hasBeen: boolean, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const soon = (): void => void setTimeout(() => signal.aborted || resolve());
    if (hasBeen) soon();
    else addEventListener(event, soon, { signal });
  });
}
