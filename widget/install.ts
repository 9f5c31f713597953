import { startWidget, type Emit, type Widget, type WidgetOptions } from "./widget.ts";

type Command = "open" | "close" | "toggle" | "destroy";
type Handler = Parameters<Emit> extends [string, infer Detail] ? (detail: Detail) => void : never;

interface MountOptions extends WidgetOptions {
  /** false: readings are not counted before consent() is called. */
  consent?: boolean | undefined;
}

/** `["open", "acme"]` stands for `Tidings.open("acme")`. */
type Call = [name: string, ...values: unknown[]];

/** What a page can call as `window.Tidings`; without a workspace a command goes to all widgets of the page. See docs/widget.md. */
export type TidingsApi = Record<Command, (workspace?: string) => void> & {
  /** One widget a workspace, also when the script is there twice. */
  readonly widgets: Map<string, Widget>;
  mount(options: MountOptions): void;
  /** From now on readings may be counted, also by widgets that start later. */
  consent(workspace?: string): void;
  /** Posts of all widgets (or of one) that this browser has not seen. */
  unreadCount(workspace?: string): number;
  on(event: string, handler: Handler): void;
  off(event: string, handler: Handler): void;
  /** As with the queue that a page may begin before the script has run: `(window.Tidings ||= []).push(["open"])`. */
  push(...calls: Call[]): void;
};

declare global {
  interface Window {
    Tidings?: TidingsApi | Call[];
  }
}

/** Starts the widget that a script tag asks for: `<script async src="…/widget.js" data-workspace="acme">`. */
export function install(tag: HTMLOrSVGScriptElement | null): void {
  const script = (tag ?? document.querySelector("script[data-workspace]")) as HTMLScriptElement | null;
  // An element or a frame of that name is no Tidings: a browser shows it under window, too, until something else is there.
  const present = Object.hasOwn(window, "Tidings") ? window.Tidings : undefined;
  const api = !present || Array.isArray(present) ? (window.Tidings = createApi()) : present;
  if (!api.widgets) return; // a Tidings that is not ours
  const { workspace, selector, consent } = script?.dataset ?? {};
  if (script && workspace) api.mount({ origin: new URL(script.src).origin, workspace, selector, consent: consent === undefined });
  if (Array.isArray(present)) api.push(...present);
}

const nameOf = (workspace: unknown): string =>
  String(workspace ?? "")
    .trim()
    .toLowerCase();

function createApi(): TidingsApi {
  const widgets = new Map<string, Widget>();
  const consented = new Set<string>();
  let handlers: [event: string, handler: Handler][] = [];
  const chosen = (workspace?: string): Widget[] =>
    [...widgets].flatMap(([name, widget]) => (["", name].includes(nameOf(workspace)) ? widget : []));
  const send = (command: Command) => (workspace?: string) => chosen(workspace).forEach((widget) => widget[command]());
  // Later, so that a handler's fault is the page's own and none of ours.
  const emit: Emit = (event, detail) => handlers.forEach(([name, handler]) => name === event && setTimeout(handler, 0, detail));
  const api: TidingsApi = {
    widgets,
    mount: (options) => {
      const workspace = nameOf(options.workspace);
      if (!workspace || widgets.has(workspace)) return;
      const widget = startWidget(
        { ...options, workspace },
        emit,
        () => options.consent !== false || consented.has("") || consented.has(workspace),
        () => widgets.delete(workspace),
      );
      widgets.set(workspace, widget);
    },
    open: send("open"),
    close: send("close"),
    toggle: send("toggle"),
    destroy: send("destroy"),
    consent: (workspace) => void consented.add(nameOf(workspace)),
    unreadCount: (workspace) => chosen(workspace).reduce((sum, widget) => sum + widget.unread(), 0),
    on: (...wanted) => void handlers.push(wanted),
    off: (event, handler) => void (handlers = handlers.filter(([name, one]) => name !== event || one !== handler)),
    push: (...calls) =>
      calls.forEach((call) => {
        try {
          const [name, ...values] = call;
          (api[name as Command] as (...values: unknown[]) => void)(...values);
        } catch {
          // One that cannot be done does not hinder those behind it.
        }
      }),
  };
  return api;
}
