import { elsewhere } from "./element.ts";
import type { TidingsApi } from "./install.ts";

/** What pages wrote into `HW_config`, or hand to `Headway.init`: of what Headway documents for its widget, the part that ours can do. */
interface Config {
  /** Where the badge with the number of unseen posts is put; without `trigger` also what opens the widget. */
  selector?: string;
  trigger?: string;
  /** false: nothing happens. */
  enabled?: boolean;
  callbacks?: {
    onWidgetReady?: (widget: HeadwayWidget) => void;
    onShowWidget?: () => void;
    onShowDetails?: (post: { id: string; title: string }) => void;
    onHideWidget?: () => void;
  };
}

interface HeadwayWidget {
  init(config?: Config): void;
  show(): void;
  hide(): void;
  toggle(): void;
  getUnseenCount(): number;
  destroy(): void;
}

type Headway = HeadwayWidget & { getNewWidget(): HeadwayWidget };
type Call = [name: string, ...values: unknown[]];
type Detail = { workspace: string; count?: number; post?: { id: string; title: string } };

declare global {
  interface Window {
    HW_config?: Config;
    Headway?: Headway;
  }
}

/** Matches nothing: our widget has no button of its own then, and clicks are looked at here. */
const noElement = ":not(*)";

/** Weaker than anything that a page says of the badge. */
const style = `:where(.HW_badge_cont){display:inline-block;vertical-align:middle}
:where(.HW_badge_cont):not(.HW_visible){display:none}
:where(.HW_badge){display:block;min-width:16px;box-sizing:border-box;padding:0 4px;border-radius:8px;background:#cd4b5b;color:#fff;font:600 10px/16px system-ui,sans-serif;text-align:center}`;

/** Answers to Headway's names with our widget: `<script async src="…/widget-headway.js?workspace=acme">` in the place of Headway's script. */
export function installHeadway(tag: HTMLOrSVGScriptElement | null): void {
  const script = (tag ?? document.querySelector('script[src*="/widget-headway.js"]')) as HTMLScriptElement | null;
  if (!script || Object.hasOwn(window, "Headway")) return;
  const { origin, searchParams } = new URL(script.src);
  const workspace = (script.dataset["workspace"] ?? searchParams.get("workspace") ?? "").trim().toLowerCase();
  if (!workspace) return;

  /** Calls that wait until our script is there, as any page can make them. */
  const tell = (...calls: Call[]): void => {
    if (!Object.hasOwn(window, "Tidings")) window.Tidings = [];
    window.Tidings!.push(...calls);
  };
  const widgets = new Map<HeadwayWidget, Config>();
  let isReady = false;
  let unseen = 0;
  /** The click that somebody's call has answered already: what opens the widget is often a link that calls `show` as well. */
  let answered: Event | undefined;

  const isTrigger = ({ trigger, selector }: Config, target: Element): boolean => {
    try {
      return target.closest((trigger ?? selector)!) !== null;
    } catch {
      return false; // no selector at all, or none that a browser reads
    }
  };
  const command = (name: "open" | "close" | "toggle") => (): void => {
    if (answered !== undefined && answered === window.event) return;
    answered = window.event;
    tell([name, workspace]);
  };
  const each = (call: (config: Config, widget: HeadwayWidget) => void): void => {
    for (const [widget, config] of widgets) {
      try {
        call(config, widget);
      } catch (error) {
        setTimeout(() => {
          throw error; // a callback's fault is the page's own, and hinders no other
        });
      }
    }
  };

  function showBadge({ selector }: Config): void {
    const place = selector ? document.querySelector(selector) : null;
    if (!place) return;
    let frame = place.querySelector<HTMLElement>(".HW_badge_cont");
    if (!frame) {
      frame = document.createElement("span");
      frame.append(document.createElement("span"));
      place.append(frame);
    }
    const badge = frame.firstElementChild as HTMLElement;
    for (const [element, name] of [
      [frame, "HW_badge_cont"],
      [badge, "HW_badge"],
    ] as const) {
      if (!document.getElementById(name)) element.id = name; // pages style it by this
      element.className = unseen > 0 ? `${name} HW_visible` : name;
    }
    badge.role = "img";
    badge.ariaLabel = `${unseen} new`;
    badge.textContent = `${unseen}`;
  }

  function appear(widget: HeadwayWidget, config: Config): void {
    unseen = (window.Tidings as TidingsApi).unreadCount(workspace);
    each((one) => one === config && (showBadge(one), one.callbacks?.onWidgetReady?.(widget)));
  }

  /** What our widget tells of, once for all who listen here. */
  const heard: Record<string, (detail: Detail) => void> = {
    ready: () => {
      isReady = true;
      for (const [widget, config] of widgets) appear(widget, config);
    },
    unread: ({ count = 0 }) => {
      unseen = count;
      each(showBadge);
    },
    open: () => each(({ callbacks }) => callbacks?.onShowWidget?.()),
    close: () => each(({ callbacks }) => callbacks?.onHideWidget?.()),
    post: ({ post }) => each(({ callbacks }) => post && callbacks?.onShowDetails?.({ id: post.id, title: post.title })),
  };

  let isLoaded = false;
  function load(): void {
    if (isLoaded) return;
    isLoaded = true;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    document.adoptedStyleSheets = [sheet, ...document.adoptedStyleSheets];
    for (const [event, hear] of Object.entries(heard)) {
      tell(["on", event, (detail: Detail) => detail.workspace === workspace && hear(detail)]);
    }
    document.addEventListener("click", (event) => {
      const { target } = event;
      if (elsewhere(event) || !(target instanceof Element) || ![...widgets.values()].some((config) => isTrigger(config, target))) return;
      event.preventDefault();
      command("toggle")();
    });
    const ours = document.createElement("script");
    Object.assign(ours, { async: true, src: `${origin}/widget.js`, nonce: script!.nonce });
    document.head.append(ours);
  }

  function createWidget(): HeadwayWidget {
    const widget: HeadwayWidget = {
      init(config = window.HW_config) {
        if (!config || config.enabled === false) return;
        const isFirst = widgets.size === 0;
        widgets.set(widget, config);
        load();
        // Closed, as somebody wishes: so it never opens by itself, whatever the workspace's setting.
        if (isFirst) tell(["mount", { origin, workspace, selector: noElement }], ["close", workspace]);
        if (isReady) setTimeout(() => widgets.get(widget) === config && appear(widget, config));
      },
      show: command("open"),
      hide: command("close"),
      toggle: command("toggle"),
      getUnseenCount: () => unseen,
      destroy() {
        const config = widgets.get(widget);
        if (!config) return;
        widgets.delete(widget);
        const place = config.selector ? document.querySelector(config.selector) : null;
        place?.querySelector(".HW_badge_cont")?.remove();
        if (widgets.size > 0) return;
        isReady = false;
        tell(["destroy", workspace]);
      },
    };
    return widget;
  }

  window.Headway = Object.assign(createWidget(), { getNewWidget: createWidget });
  if (window.HW_config) window.Headway.init();
}
