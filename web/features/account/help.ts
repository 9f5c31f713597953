import { startWidget, type Widget } from "../../../widget/widget.ts";
import { storedTheme } from "../../lib/theme.ts";
import { toasts } from "../../lib/toasts.ts";

type Help = "help" | "news";

const widgets = new Map<Help, Widget>();

/** Opens this release's help or news (web/build/help-files.ts) in our own widget, without its button. */
export function openHelp(name: Help): void {
  const widget = widgets.get(name) ?? startHelp(name);
  widgets.set(name, widget);
  widget.open();
}

function startHelp(workspace: Help): Widget {
  return startWidget(
    { origin: `${location.origin}/${workspace}`, workspace, selector: ":not(*)" },
    (event) => event === "open" && followTheme(),
    () => false,
    () => {
      widgets.delete(workspace);
      toasts.error("Couldn't load this", "Please try again later");
    },
  );
}

function followTheme(): void {
  for (const { shadowRoot } of document.querySelectorAll("tidings-widget")) {
    shadowRoot?.querySelector<HTMLElement>("[data-theme]")?.setAttribute("data-theme", storedTheme());
  }
}
