import type { WidgetData, WidgetPost } from "#contract/releases.ts";
import type { Post } from "./data.ts";
import { drawing, element } from "./element.ts";
import { loadMore } from "./load-more.ts";
import { arrange, cornerOf, type Neighbour } from "./neighbours.ts";
import { postItem } from "./post-item.ts";
import css from "./widget.css?inline";

export interface View {
  root: HTMLElement;
  isOpen(): boolean;
  /** `focus`: the reader asked for it; otherwise focus stays where it is. */
  open(focus: boolean): void;
  close(): void;
  /** Hides the badge. */
  seen(): void;
}

export interface Told {
  data: WidgetData;
  workspace: string;
  origin: string;
  into: string | undefined;
  signal: AbortSignal;
  opened(): void;
  closed(): void;
  read(post: Post): Promise<WidgetPost>;
  count(what: string): void;
}

/** Launcher and panel in a shadow root at the end of body, until `signal` aborts; without `button` the page's elements are the launcher. */
export function createView(told: Told, unread: number, button: boolean): View {
  const { data, origin, signal } = told;
  const { workspace, settings, posts, words, dir, locale, style, fonts } = data;
  const corner = cornerOf(settings.positioning.position);
  const { cornerRadius, fontFamily } = settings.customisation;
  const badge = element("span", { class: "badge", role: "img", "aria-label": words.unread[unread - 1] ?? "" }, `${unread}`);
  badge.hidden = !unread;
  const launcher = element(
    "button",
    { class: "launcher", "aria-haspopup": "dialog" },
    drawing("M4 10v4h3l7 5V5l-7 5zM18 9a4 4 0 0 1 0 6"),
    words.whatsNew,
    badge,
  );
  launcher.hidden = !button;
  const heading = element("h2", { id: "heading", tabindex: "-1" }, words.whatsNew);
  const closer = element("button", { class: "close", "aria-label": words.close }, drawing("M5 5l14 14M19 5L5 19"));
  const panel = element("div", { class: "panel", role: "dialog", "aria-labelledby": "heading" });
  show(false);
  const root = element("div", { class: "root", lang: locale, dir }, panel, launcher);
  Object.assign(root.dataset, ...Object.values(settings));

  const host = document.createElement("tidings-widget");
  host.hidden = true; // hides copies a page makes of its body; this one is shown by its stylesheet
  const shadow = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  shadow.adoptedStyleSheets = [sheet];
  shadow.append(root);

  /** Re-attaches when the page replaces its body, at most once per frame. */
  const replaced = new MutationObserver(() => requestAnimationFrame(attach));
  function attach(): void {
    if (signal.aborted || host.isConnected || !document.body) return;
    document.body.append(host);
    [document, document.documentElement, document.body].forEach((place) => replaced.observe(place, { childList: true }));
  }

  function show(open: boolean): void {
    panel.hidden = !open;
    launcher.setAttribute("aria-expanded", `${open}`);
  }

  let before: HTMLElement | null = null;

  const read = (post: Post, link: HTMLElement) => loadMore(origin).then(({ readPost }) => readPost(post, link, words, told));
  const prepare = () =>
    loadMore(origin).then(
      ({ prepare }) => prepare(shadow, data),
      () => {}, // a click on a post tries again
    );

  /** Lazy: no images load before the first opening. */
  function fill(): void {
    const list = posts.length
      ? element("ul", { class: "posts" }, ...posts.map((post) => postItem(post, words.days, read)))
      : element("p", { class: "none" }, words.none);
    panel.append(
      element("div", { class: "head" }, heading, element("p", {}, words.latest), closer),
      list,
      element("a", { class: "all", href: workspace.url }, words.all),
      workspace.mails ? element("a", { class: "all", href: `${workspace.url}/subscribe.html` }, words.mails) : "",
    );
  }

  function open(focus: boolean): void {
    if (panel.hidden) {
      if (!focus && corner.some((one) => one.isOpen())) return;
      corner.forEach((one) => one.close());
      if (!panel.firstChild) fill();
      before = document.activeElement as HTMLElement | null;
      show(true);
      told.opened();
      void prepare();
    }
    if (focus) heading.focus({ preventScroll: true });
  }

  function close(): void {
    if (panel.hidden) return;
    const hadFocus = panel.contains(shadow.activeElement);
    show(false);
    if (hadFocus) {
      launcher.focus({ preventScroll: true }); // keeps focus if the opener can't be focused
      before?.focus({ preventScroll: true });
    }
    told.closed();
  }

  const isOpen = (): boolean => !panel.hidden;
  launcher.onpointerenter = launcher.onfocus = prepare;
  launcher.onclick = () => (panel.hidden ? open(true) : close());
  closer.onclick = close;
  const self: Neighbour & View = {
    root,
    button,
    isOpen,
    open,
    close,
    seen: () => void (badge.hidden = true),
    place: (nth, all) =>
      sheet.replaceSync(
        `${css}.root{--nth:${nth};--all:${all};--radius:${cornerRadius}px;font-family:${fontFamily},system-ui,sans-serif}${style}`,
      ),
  };
  // Shadow roots can't declare fonts, so document.fonts is used; a strict CSP falls back to the next font.
  fonts.forEach(({ family, url, range, style }) =>
    document.fonts.add(new FontFace(family, `url(${url})`, { weight: "100 900", unicodeRange: range, style, display: "swap" })),
  );
  corner.push(self);
  arrange(corner);
  attach();
  // Ignores Escape that the page handled (preventDefault) or that ends an IME composition.
  const onKey = ({ key, defaultPrevented, isComposing }: KeyboardEvent) => key === "Escape" && !defaultPrevented && !isComposing && close();
  document.addEventListener("keydown", onKey, { signal });
  signal.addEventListener("abort", () => {
    close();
    corner.splice(corner.indexOf(self), 1);
    arrange(corner);
    replaced.disconnect();
    host.remove();
  });
  return self;
}
