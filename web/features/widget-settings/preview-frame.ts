import type { WidgetData, WidgetPost } from "#contract/releases.ts";
import type { TidingsApi } from "../../../widget/install.ts";

export type FrameWindow = Window & typeof globalThis;

export interface PreviewFrame {
  /** Draws the widget afresh, its panel open or closed as it was; open at first. */
  draw(): void;
}

/** The widget calls its workspace so; no real one can have this name. */
const workspace = "--preview";
const seenKey = `tc:widget:${workspace}`;
const sample: WidgetPost = { content: [["p", {}, "Readers see the whole post here, without leaving your site."]] };

/**
 * Runs the released widget, /widget.js, in a frame of this origin. Whatever it asks for is answered with `dataOf`, so that nothing is
 * a likeness: the page shows what customers get.
 */
export async function startPreview(
  page: FrameWindow,
  dataOf: (open: boolean) => WidgetData,
  post: WidgetPost = sample,
): Promise<PreviewFrame> {
  let open = true;
  page.fetch = async (address) => answer(String(address), () => dataOf(open), post);
  const tidings = await load(page);
  return {
    draw() {
      open = panelOf(page) ? !panelOf(page)?.hidden : open;
      tidings.destroy(workspace);
      wishOpen(page, open);
      tidings.mount({ origin: location.origin, workspace });
    },
  };
}

function load(page: FrameWindow): Promise<TidingsApi> {
  return new Promise((resolve, reject) => {
    const script = page.document.createElement("script");
    script.src = trusted(page, "/widget.js");
    script.addEventListener("load", () => resolve(page.Tidings as TidingsApi));
    script.addEventListener("error", () => reject(new Error("The widget's script did not load")));
    page.document.head.append(script);
  });
}

interface Policies {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): { createScriptURL(address: string): string };
}

/** The frame is bound to Trusted Types as the page is, and has no policy yet; this one lets through its one script. */
function trusted(page: Window, address: string): string {
  const { trustedTypes } = page as { trustedTypes?: Policies };
  return trustedTypes?.createPolicy("tidings-preview", { createScriptURL: (same) => same }).createScriptURL(address) ?? address;
}

const panelOf = (page: Window): HTMLElement | null | undefined =>
  page.document.querySelector("tidings-widget")?.shadowRoot?.querySelector<HTMLElement>("[role=dialog]");

/**
 * The widget opens by itself, without taking the focus from the form, when there are posts that this browser has not seen:
 * so either none has been seen, or all have.
 */
function wishOpen(page: Window, open: boolean): void {
  try {
    page.localStorage.setItem(seenKey, open ? "" : "9999");
  } catch {
    // Storage is closed: the panel starts closed.
  }
}

function answer(address: string, data: () => WidgetData, post: WidgetPost): Response {
  if (address.includes("/releases/widget.json")) return Response.json(data());
  return address.includes(".widget.json") ? Response.json(post) : new Response();
}

/** Somebody's page in grey, under which nothing distracts from the widget. */
export const customersPage = `<!doctype html>
<html lang="en">
<head>
<title>Preview of the widget</title>
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
