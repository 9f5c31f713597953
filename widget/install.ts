import { startWidget, type Emit, type Reader, type Widget, type WidgetOptions } from "./widget.ts";

type Command = "open" | "close" | "toggle" | "destroy" | "markAllSeen";
type Handler = Parameters<Emit> extends [string, infer Detail] ? (detail: Detail) => void : never;

interface MountOptions extends WidgetOptions {
  /** false: counts nothing until consent() is called. */
  consent?: boolean | undefined;
}

/** `["open", "acme"]` is `Tidings.open("acme")`. */
type Call = [name: string, ...values: unknown[]];

/** `window.Tidings`. Without a workspace a command applies to all widgets. See docs/widget.md. */
export type TidingsApi = Record<Command, (workspace?: string) => void> & {
  readonly widgets: Map<string, Widget>;
  mount(options: MountOptions): void;
  /** Shows each widget anew, with the posts for the reader whom the token identifies. */
  identify(reader?: Reader): void;
  /** Shows each widget anew, as to everyone. */
  forget(): void;
  /** Also applies to widgets that start later. */
  consent(workspace?: string): void;
  /** Unseen posts of one widget or of all. */
  unreadCount(workspace?: string): number;
  on(event: string, handler: Handler): void;
  off(event: string, handler: Handler): void;
  /** Command queue, usable before the script loads: `(window.Tidings ||= []).push(["open"])`. */
  push(...calls: Call[]): void;
};

declare global {
  interface Window {
    Tidings?: TidingsApi | Call[];
  }
}

/** For `<script async src="…/widget.js" data-workspace="acme">`. */
export function install(tag: HTMLOrSVGScriptElement | null): void {
  const script = (tag ?? document.querySelector("script[data-workspace]")) as HTMLScriptElement | null;
  // Named access: an element or frame called Tidings also appears on window.
  const present = Object.hasOwn(window, "Tidings") ? window.Tidings : undefined;
  const api = !present || Array.isArray(present) ? (window.Tidings = createApi()) : present;
  if (!api.widgets) return;
  const { workspace, consent, ...more } = script?.dataset ?? {};
  if (script && workspace) api.mount({ ...more, origin: new URL(script.src).origin, workspace, consent: consent === undefined });
  if (Array.isArray(present)) api.push(...present);
}

const nameOf = (workspace: unknown): string =>
  String(workspace ?? "")
    .trim()
    .toLowerCase();

function createApi(): TidingsApi {
  const widgets = new Map<string, Widget>();
  let reader: Reader | undefined;
  const consented = new Set<string>();
  let handlers: [event: string, handler: Handler][] = [];
  const chosen = (workspace?: string): Widget[] =>
    [...widgets].flatMap(([name, widget]) => (["", name].includes(nameOf(workspace)) ? widget : []));
  const send = (command: Command) => (workspace?: string) => chosen(workspace).forEach((widget) => widget[command]());
  // Asynchronous, so a handler's error is the page's own.
  const emit: Emit = (event, detail) => handlers.forEach(([name, handler]) => name === event && setTimeout(handler, 0, detail));
  const api: TidingsApi = {
    widgets,
    mount: (options) => {
      const workspace = nameOf(options.workspace);
      if (!workspace || widgets.has(workspace)) return;
      const widget = startWidget(
        { ...options, workspace, reader },
        emit,
        () => options.consent !== false || consented.has("") || consented.has(workspace),
        () => widgets.delete(workspace),
      );
      widgets.set(workspace, widget);
    },
    identify: (other) => {
      if (other === reader) return;
      reader = other;
      for (const { destroy, options } of [...widgets.values()]) {
        destroy();
        api.mount(options);
      }
    },
    forget: () => api.identify(),
    open: send("open"),
    close: send("close"),
    toggle: send("toggle"),
    destroy: send("destroy"),
    markAllSeen: send("markAllSeen"),
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
          // A failing command doesn't block later ones.
        }
      }),
  };
  return api;
}
