import { startWidget, type Emit, type Widget, type WidgetOptions } from "./widget.ts";

type Command = "open" | "close" | "toggle" | "destroy" | "consent";
type Handler = Parameters<Emit> extends [string, infer Detail] ? (detail: Detail) => void : never;

/** What a page can call as `window.Tidings`; without a workspace a command goes to all widgets of the page. See docs/widget.md. */
export type TidingsApi = Record<Command, (workspace?: string) => void> & {
  /** One widget a workspace, also when the script is there twice. */
  readonly widgets: Map<string, Widget>;
  mount(options: WidgetOptions): void;
  /** Posts of all widgets (or of one) that this browser has not seen. */
  unreadCount(workspace?: string): number;
  on(event: string, handler: Handler): void;
  off(event: string, handler: Handler): void;
};

/** Before the script has run a page may queue calls: `(window.Tidings ||= []).push(["open"])`. */
type Queue = [string, ...unknown[]][];

declare global {
  interface Window {
    Tidings?: TidingsApi | Queue;
  }
}

/** Starts the widget that a script tag asks for: `<script async src="…/widget.js" data-workspace="acme">`. */
export function install(tag: HTMLOrSVGScriptElement | null): void {
  const script = tag instanceof HTMLScriptElement ? tag : document.querySelector<HTMLScriptElement>("script[data-workspace]");
  const present = window.Tidings;
  const queue = Array.isArray(present) ? present : [];
  const api = present && !Array.isArray(present) ? present : (window.Tidings = createApi());
  if (!api.widgets) return; // a Tidings that is not ours
  const { workspace, selector, consent } = script?.dataset ?? {};
  if (script && workspace) api.mount({ origin: new URL(script.src).origin, workspace, selector, consent: consent === undefined });
  for (const [name, ...values] of queue) {
    const call = api[name as Command] as unknown;
    if (typeof call === "function") call(...values);
  }
}

function createApi(): TidingsApi {
  const widgets = new Map<string, Widget>();
  let handlers: [event: string, handler: Handler][] = [];
  const chosen = (workspace?: string): Widget[] =>
    [...widgets].flatMap(([name, widget]) => (workspace && workspace !== name ? [] : widget));
  const send = (command: Command) => (workspace?: string) => chosen(workspace).forEach((widget) => widget[command]());
  // Later, so that a handler's fault is the page's own and none of ours.
  const emit: Emit = (event, detail) => handlers.forEach(([name, handler]) => name === event && setTimeout(handler, 0, detail));
  return {
    widgets,
    mount: (options) => {
      const workspace = options.workspace.trim().toLowerCase();
      if (!workspace || widgets.has(workspace) || !("adoptedStyleSheets" in Document.prototype)) return;
      widgets.set(
        workspace,
        startWidget({ ...options, workspace }, emit, () => widgets.delete(workspace)),
      );
    },
    open: send("open"),
    close: send("close"),
    toggle: send("toggle"),
    destroy: send("destroy"),
    consent: send("consent"),
    unreadCount: (workspace) => chosen(workspace).reduce((sum, widget) => sum + widget.unread(), 0),
    on: (...wanted) => void handlers.push(wanted),
    off: (event, handler) => void (handlers = handlers.filter((one) => one[0] !== event || one[1] !== handler)),
  };
}
