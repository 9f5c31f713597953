import { elsewhere } from "./element.ts";
import type { TidingsApi } from "./install.ts";

interface Config {
  /** Element for the badge; without `trigger` also the opener. */
  selector?: string;
  trigger?: string;
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

/** Matches nothing, so the widget has no button; clicks are handled here. */
const noElement = ":not(*)";

/** :where() has no specificity, so the page's styles win. */
const style = `:where(.HW_badge_cont){display:inline-block;vertical-align:middle}
:where(.HW_badge_cont):not(.HW_visible){display:none}
:where(.HW_badge){display:block;min-width:16px;box-sizing:border-box;padding:0 4px;border-radius:8px;background:#cd4b5b;color:#fff;font:600 10px/16px system-ui,sans-serif;text-align:center}`;

/** Compatibility layer: `<script async src="…/widget-headway.js?workspace=acme">` replaces Headway's script. */
export function installHeadway(tag: HTMLOrSVGScriptElement | null): void {
  const script = (tag ?? document.querySelector('script[src*="/widget-headway.js"]')) as HTMLScriptElement | null;
  if (!script || Object.hasOwn(window, "Headway")) return;
  const { origin, searchParams } = new URL(script.src);
  const workspace = (script.dataset["workspace"] ?? searchParams.get("workspace") ?? "").trim().toLowerCase();
  if (!workspace) return;

  /** Uses the public command queue. */
  const tell = (...calls: Call[]): void => {
    if (!Object.hasOwn(window, "Tidings")) window.Tidings = [];
    window.Tidings!.push(...calls);
  };
  const widgets = new Map<HeadwayWidget, Config>();
  let isReady = false;
  let unseen = 0;
  /** Click already handled: a trigger's handler often calls `show` too. */
  let answered: Event | undefined;

  const isTrigger = ({ trigger, selector }: Config, target: Element): boolean => {
    try {
      return target.closest((trigger ?? selector)!) !== null;
    } catch {
      return false; // an invalid selector
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
          throw error; // rethrown asynchronously: a callback's error is the page's own
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
      if (!document.getElementById(name)) element.id = name;
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
        // Closed explicitly, so auto-open doesn't apply.
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
