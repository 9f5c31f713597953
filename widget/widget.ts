import type { WidgetPost } from "#contract/releases.ts";
import { ask, checked, load, type Post } from "./data.ts";
import { elsewhere } from "./element.ts";
import { markSeen, unreadCount } from "./seen.ts";
import { createView, type View } from "./view.ts";

export interface WidgetOptions {
  /** Where Tidings runs, e.g. https://tidings.example. */
  origin: string;
  workspace: string;
  /** Elements of the page that open the panel, in place of the widget's own button. */
  selector?: string | undefined;
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
  /** Takes everything away again: element, listeners, timers, request. */
  destroy(): void;
}

/** A widget that appears once the page has loaded and is seen, its data has come and its delay is over; if anything fails, it never does. */
export function startWidget(
  { origin, workspace, selector }: WidgetOptions,
  emit: Emit,
  mayCount: () => boolean,
  onDestroy: () => void,
): Widget {
  const ended = new AbortController();
  const { signal } = ended;
  let view: View | null = null;
  let unread = 0;
  /** A wish from before the widget was there. */
  let wanted: boolean | null = null;
  /** Ends the delay, which is for those who have not asked. */
  let hurry = (): void => {};

  const address = (name: string): string => `${origin}/releases/${name}?workspace=${encodeURIComponent(workspace)}`;
  /** Reports what has happened, by a picture that the server counts by; a browser asks for it once a day. */
  const count = (what: string): void => void (mayCount() && ask(address(`${what}.gif`), signal).catch(() => {}));

  async function appear(): Promise<void> {
    if (selector) {
      document.querySelector(selector); // throws here, not at each click, when it is none
      document.addEventListener("click", onClick, { signal });
    }
    await after("load", document.readyState === "complete", signal);
    const data = checked(await load(address("widget.json"), signal));
    const { delay, autoOpenNewPosts } = data.settings.behaviour;
    await new Promise<void>((resolve) => {
      hurry = resolve;
      setTimeout(resolve, selector || wanted ? 0 : delay);
    });
    // Nobody has seen what opens on a page that a browser has made in advance, or holds in the background.
    await after("visibilitychange", !document.hidden, signal);
    unread = unreadCount(workspace, data.posts);
    const told = {
      opened: () => {
        emit("open", { workspace });
        count("widget.open");
        markSeen(workspace, data.posts);
        if (unread > 0) emit("unread", { workspace, count: (unread = 0) });
      },
      closed: () => emit("close", { workspace }),
      read,
      count,
    };
    view = createView(data, unread, !selector, told, signal);
    emit("ready", { workspace });
    count("widget.shown");
    emit("unread", { workspace, count: unread });
    if (wanted) view.open(true);
    else if (wanted === null && autoOpenNewPosts && unread > 0) view.open(false);
  }

  function read({ id, slug, title, url }: Post): Promise<WidgetPost> {
    emit("post", { workspace, post: { id, title, url } });
    count(slug);
    return load(address(`${slug}.widget.json`), signal);
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
  // What does not come leaves the page's clicks alone, and may be mounted anew.
  void appear().catch(() => signal.aborted || destroy());

  return {
    open: () => show(true),
    close: () => show(false),
    toggle,
    unread: () => unread,
    destroy,
  };
}

/** Until `event`, or what it tells of, has been, and the page has done its own with it; never once `signal` has said so. */
function after(event: "load" | "visibilitychange", hasBeen: boolean, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const soon = (): void => void setTimeout(() => signal.aborted || resolve());
    if (hasBeen) soon();
    else addEventListener(event, soon, { signal });
  });
}
