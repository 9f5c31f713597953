import type { HtmlNode } from "#contract/blocks/html-tree.ts";
import type { WidgetData } from "#contract/releases.ts";
import { contentNode, outside } from "./content.ts";
import type { Post } from "./data.ts";
import { drawing, element } from "./element.ts";
import { postItem, postMeta } from "./post-item.ts";
import css from "./widget.css?inline";

export interface View {
  isOpen(): boolean;
  /** With `focus` the reader asked for it; without, nothing is taken from what they are doing. */
  open(focus: boolean): void;
  close(): void;
  remove(): void;
}

/** What the view tells of. */
interface Told {
  opened(): void;
  closed(): void;
  /** A post is opened: answers its content. */
  read(post: Post): Promise<HtmlNode[]>;
}

/** Launcher and panel in a shadow root of their own, at the end of the body; with a `selector` elements of the page are the launcher. */
export function createView({ workspace, settings, posts }: WidgetData, unread: number, selector: string | undefined, told: Told): View {
  const { customisation } = settings;
  if (selector) document.querySelector(selector); // throws here, not at each click, when it is none
  const badge = element("span", "badge", {}, String(unread), element("span", "spoken", {}, " new"));
  badge.hidden = !unread;
  const launcher = element(
    "button",
    "launcher",
    { type: "button", "aria-haspopup": "dialog" },
    drawing("M4 10v4h3l7 5V5l-7 5zM18 9a4 4 0 0 1 0 6"),
    "What's New",
    badge,
  );
  launcher.hidden = !!selector;
  const heading = element("h2", "", { id: "heading", tabindex: "-1" }, "What's New");
  const closer = element("button", "close", { type: "button", "aria-label": "Close" }, drawing("M5 5l14 14M19 5L5 19"));
  const panel = element("div", "panel", { role: "dialog", "aria-labelledby": "heading" });
  show(false);
  const root = element("div", "root", {}, panel, launcher);
  Object.assign(root.dataset, {
    theme: settings.appearance.theme,
    position: settings.positioning.position,
    animation: settings.behaviour.animation,
    size: customisation.widgetSize,
    radius: customisation.cornerRadius,
    font: customisation.fontFamily,
  });

  const host = document.createElement("tidings-widget");
  const shadow = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  shadow.adoptedStyleSheets = [sheet];
  shadow.appendChild(root);
  document.body.appendChild(host);

  function show(open: boolean): void {
    panel.hidden = !open;
    launcher.setAttribute("aria-expanded", String(open));
  }

  /** Where the focus was when the panel was opened. */
  let before: HTMLElement | null = null;

  /** Filled when it is first opened: a widget that nobody opens loads no image. */
  function fill(): void {
    const list =
      posts.length === 0
        ? element("p", "none", {}, "Nothing published yet")
        : element("ul", "posts", {}, ...posts.map((post) => postItem(post, (link) => read(post, list, link))));
    panel.append(
      element("div", "head", {}, heading, element("p", "", {}, "Latest updates and features"), closer),
      list,
      element("a", "all", { href: workspace.url, ...outside }, "View all updates"),
    );
  }

  /** Puts a post in the place of the list. */
  function read(post: Post, list: HTMLElement, link: HTMLElement): void {
    const title = element("h3", "", { tabindex: "-1" }, post.title);
    const content = element("div", "content", {}, post.excerpt);
    const back = element("button", "back", { type: "button" }, "← Back");
    const page = element("a", "", { href: post.url, ...outside }, "Open as a page");
    const article = element("div", "article", {}, back, title, postMeta(post), content, page);
    back.addEventListener("click", () => {
      article.replaceWith(list);
      link.focus();
    });
    list.replaceWith(article);
    title.focus();
    // Without its content there are still the excerpt and the link.
    told
      .read(post)
      .then((nodes) => content.replaceChildren(...nodes.map(contentNode)))
      .catch(() => {});
  }

  function open(focus: boolean): void {
    if (panel.hidden) {
      if (!panel.hasChildNodes()) fill();
      before = document.activeElement as HTMLElement | null;
      show(true);
      badge.hidden = true;
      document.addEventListener("keydown", onKey);
      told.opened();
    }
    if (focus) heading.focus({ preventScroll: true });
  }

  function close(): void {
    if (panel.hidden) return;
    const hadFocus = panel.contains(shadow.activeElement);
    show(false);
    document.removeEventListener("keydown", onKey);
    if (hadFocus) (selector ? before : launcher)?.focus({ preventScroll: true });
    told.closed();
  }

  const toggle = (): void => (panel.hidden ? open(true) : close());
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "Escape") close();
  };
  const onClick = (event: MouseEvent): void => {
    if (!selector || !(event.target as Element).closest?.(selector)) return;
    event.preventDefault();
    toggle();
  };
  launcher.addEventListener("click", toggle);
  closer.addEventListener("click", close);
  document.addEventListener("click", onClick);

  return {
    isOpen: () => !panel.hidden,
    open,
    close,
    remove: () => {
      close();
      document.removeEventListener("click", onClick);
      host.remove();
    },
  };
}
