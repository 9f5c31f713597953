import type { WidgetData, WidgetPost } from "#contract/releases.ts";
import type { TidingsApi } from "../../../widget/install.ts";

export type FrameWindow = Window & typeof globalThis;

export interface PreviewFrame {
  /** Redraws the widget, keeping the panel open or closed; initially open. */
  draw(): void;
}

/** Workspace name of the preview, which no real workspace can have. */
const workspace = "--preview";
const seenKey = `tc:widget:${workspace}`;
const sample: WidgetPost = { content: [["p", {}, "Readers see the full post here, without leaving your site."]] };

/** Runs the released /widget.js in a same-origin frame and answers its requests from `dataOf`. */
export async function startPreview(
  page: FrameWindow,
  dataOf: (open: boolean) => WidgetData,
  post: WidgetPost = sample,
): Promise<PreviewFrame> {
  let open = true;
  page.fetch = async (address) => respond(String(address), () => dataOf(open), post);
  const tidings = await load(page);
  return {
    draw() {
      open = panelOf(page) ? !panelOf(page)?.hidden : open;
      tidings.destroy(workspace);
      setInitiallyOpen(page, open);
      tidings.mount({ origin: location.origin, workspace });
    },
  };
}

function load(page: FrameWindow): Promise<TidingsApi> {
  return new Promise((resolve, reject) => {
    const script = page.document.createElement("script");
    script.src = trustedScriptUrl(page, "/widget.js");
    script.addEventListener("load", () => resolve(page.Tidings as TidingsApi));
    script.addEventListener("error", () => reject(new Error("Couldn't load the widget script")));
    page.document.head.append(script);
  });
}

interface Policies {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): { createScriptURL(address: string): string };
}

/** Trusted Types: allows the frame's one script. */
function trustedScriptUrl(page: Window, address: string): string {
  const { trustedTypes } = page as { trustedTypes?: Policies };
  return trustedTypes?.createPolicy("tidings-preview", { createScriptURL: (same) => same }).createScriptURL(address) ?? address;
}

const panelOf = (page: Window): HTMLElement | null | undefined =>
  page.document.querySelector("tidings-widget")?.shadowRoot?.querySelector<HTMLElement>("[role=dialog]");

/** The widget opens by itself if the browser has unseen posts, so mark none or all as seen. */
function setInitiallyOpen(page: Window, open: boolean): void {
  try {
    page.localStorage.setItem(seenKey, open ? "" : "9999");
  } catch {
    // Blocked storage: the panel starts closed.
  }
}

function respond(address: string, data: () => WidgetData, post: WidgetPost): Response {
  if (address.includes("/releases/widget.json")) return Response.json(data());
  return address.includes(".widget.json") ? Response.json(post) : new Response();
}

/** Grey sample page around the widget. */
export const samplePageHtml = `<!doctype html>
<html lang="en">
<head>
<title>Widget preview</title>
<style>
:root { color-scheme: light dark; background: light-dark(#fff, #1e1b18); }
body { margin: 0; padding: 28px 24px; }
i { display: block; height: 12px; margin-bottom: 14px; border-radius: 6px; background: light-dark(#ebe8e2, #2d2924); }
i:first-child { width: 45%; height: 22px; margin-bottom: 24px; border-radius: 11px; }
i:nth-child(4n) { width: 60%; margin-bottom: 40px; }
</style>
</head>
<body><main aria-hidden="true">${"<i></i>".repeat(16)}</main></body>
</html>`;
