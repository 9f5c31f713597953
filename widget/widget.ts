import type { HtmlNode } from "#contract/blocks/html-tree.ts";
import { loadContent, loadData, type Post } from "./data.ts";
import { markSeen, unreadCount } from "./seen.ts";
import { createView, type View } from "./view.ts";

export interface WidgetOptions {
  /** Where Tidings runs, e.g. https://tidings.example. */
  origin: string;
  workspace: string;
  /** Elements of the page that open the panel, in place of the widget's own button. */
  selector?: string | undefined;
  /** false: readings are not counted before consent() is called. */
  consent?: boolean | undefined;
}

/** What a page hears of: `count` comes with "unread", `post` with "post". */
export type Emit = (
  event: "ready" | "open" | "close" | "unread" | "post",
  detail: { workspace: string; count?: number; post?: { id: string; title: string; url: string } },
) => void;

export interface Widget {
  open(): void;
  close(): void;
  toggle(): void;
  unread(): number;
  /** From now on readings may be counted. */
  consent(): void;
  /** Takes everything away again: element, listeners, timers, request. */
  destroy(): void;
}

/** A widget that appears once the page has loaded, its data has come and its delay is over; if anything fails, it never does. */
export function startWidget({ origin, workspace, selector, consent = true }: WidgetOptions, emit: Emit, onDestroy: () => void): Widget {
  const ended = new AbortController();
  let view: View | null = null;
  let unread = 0;
  /** A wish from before the widget was there. */
  let wanted: boolean | null = null;

  async function appear(): Promise<void> {
    const data = await loadData(origin, workspace, ended.signal);
    const { delay, autoOpenNewPosts } = data.settings.behaviour;
    await new Promise((resolve) => setTimeout(resolve, delay));
    if (ended.signal.aborted) return;
    unread = unreadCount(workspace, data.posts);
    view = createView(data, unread, selector, {
      opened: () => {
        emit("open", { workspace });
        markSeen(workspace, data.posts);
        if (unread > 0) emit("unread", { workspace, count: (unread = 0) });
      },
      closed: () => emit("close", { workspace }),
      read,
    });
    emit("ready", { workspace });
    emit("unread", { workspace, count: unread });
    if (wanted === true) view.open(true);
    else if (wanted === null && autoOpenNewPosts && unread > 0) view.open(false);
  }

  function read({ id, slug, title, url }: Post): Promise<HtmlNode[]> {
    emit("post", { workspace, post: { id, title, url } });
    const address = (ending: string): string => `${origin}/releases/${slug}${ending}?workspace=${workspace}`;
    if (consent) fetch(address(".gif"), { mode: "no-cors", credentials: "omit" }).catch(() => {});
    return loadContent(address(".widget.json"), ended.signal);
  }

  void afterLoad(ended.signal)
    .then(appear)
    .catch(() => {});

  const show = (open: boolean): void => {
    wanted = open;
    if (open) view?.open(true);
    else view?.close();
  };
  return {
    open: () => show(true),
    close: () => show(false),
    toggle: () => show(!(view?.isOpen() ?? wanted === true)),
    unread: () => unread,
    consent: () => void (consent = true),
    destroy: () => {
      ended.abort();
      view?.remove();
      onDestroy();
    },
  };
}

/** The page's own loading comes first. */
function afterLoad(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const soon = (): void => void setTimeout(resolve);
    if (document.readyState === "complete") soon();
    else addEventListener("load", soon, { once: true, signal });
  });
}
