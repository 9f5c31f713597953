import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { JSDOM, VirtualConsole } from "jsdom";
import { defaultAppearance } from "#contract/appearance-choices.ts";
import type { WidgetData } from "#contract/releases.ts";
import { withDefaults } from "#contract/widget-choices.ts";
import { speechOf } from "#contract/widget-speech.ts";

export const post = (changes: Partial<WidgetData["posts"][number]> = {}): WidgetData["posts"][number] => ({
  slug: "dark-mode",
  id: "6f2b8a53-8b0e-4a52-9b56-6a0d6a3ad9d1",
  title: "Dark mode",
  url: "https://acme.tidings.example/releases/dark-mode",
  excerpt: "Easy on the eyes.",
  author_name: "Ada Lovelace",
  image: null,
  published_at: "2026-01-02T10:00:00.000Z",
  date: "January 2nd, 2026",
  ...changes,
});

export const data = (changes: Partial<WidgetData> = {}): WidgetData => ({
  workspace: { name: "Acme", url: "https://acme.tidings.example/releases", mails: false },
  settings: withDefaults({}),
  ...speechOf({ look: defaultAppearance, fontFamily: "system", posts: 20, file: (url) => url }),
  ...{ posts: [post()], placed: [], changes_url: null },
  ...changes,
});

type Answer = WidgetData | string | ((request: IncomingMessage, response: ServerResponse) => void);

export interface Server {
  origin: string;
  asked: { url: string; headers: IncomingMessage["headers"] }[];
  counted: string[];
  answer: Answer;
  content: unknown;
  picture(response: ServerResponse): void;
  close(): Promise<void>;
}

export async function serve(bundle: string, files: ReadonlyMap<string, string>): Promise<Server> {
  const server = createServer((request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    const file = files.get(request.url?.split("?")[0] ?? "");
    if (file !== undefined) return void response.setHeader("content-type", "text/javascript").end(file);
    if (request.url === "/widget.js")
      return void response.setHeader("content-type", "text/javascript").end(bundle.replace("import(", "importFile("));
    const [, picture] = /^\/releases\/(.+)\.gif\?workspace=\w+$/.exec(request.url ?? "") ?? [];
    if (picture !== undefined) {
      self.counted.push(picture);
      return self.picture(response);
    }
    self.asked.push({ url: request.url ?? "", headers: request.headers });
    const { answer, content } = self;
    if (request.url?.includes(".widget.json?")) return void response.end(JSON.stringify(content));
    if (typeof answer === "function") answer(request, response);
    else response.setHeader("content-type", "application/json").end(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const self: Server = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    counted: [],
    answer: data(),
    content: { content: [["p", {}, "All about it."]] },
    picture: (response) => void response.end(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return self;
}

export interface Page {
  window: Window & typeof globalThis;
  document: Document;
  errors: Error[];
  widget(): Promise<ShadowRoot>;
  widgets(count: number): Promise<ShadowRoot[]>;
  noWidget(): Promise<null | Element>;
}

const until = async <T>(look: () => T | null | undefined): Promise<T> => {
  for (const end = Date.now() + 15_000; Date.now() < end; await wait(5)) {
    const found = look();
    if (found !== null && found !== undefined) return found;
  }
  throw new Error("timed out");
};

/** jsdom has neither `modulepreload` nor import(). */
function preload(changes: MutationRecord[]): void {
  for (const link of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
    if ((link as HTMLLinkElement).rel !== "modulepreload") continue;
    const { href, integrity, ownerDocument } = link as HTMLLinkElement;
    const end = (type: string) => link.dispatchEvent(new ownerDocument.defaultView!.Event(type));
    fetch(href, { integrity }).then(
      ({ ok }) => end(ok ? "load" : "error"),
      () => end("error"),
    );
  }
}

async function importFile(page: Window & typeof globalThis, url: string): Promise<unknown> {
  const code = await (await fetch(url)).text();
  return page.Function(
    code.replace(/export\{(.*)\};?\s*$/, (_, names: string) => `return {${names.replace(/(\w+) as (\w+)/g, "$2:$1")}}`),
  )();
}

export function openPage(
  html: string,
  { stored = {}, prepare }: { stored?: Record<string, string>; prepare?: (window: Window & typeof globalThis) => void } = {},
): Page {
  const errors: Error[] = [];
  const virtualConsole = new VirtualConsole().on("jsdomError", (error) => errors.push(error));
  const { window } = new JSDOM(`<!doctype html><html><body><h1>Another site</h1>${html}</body></html>`, {
    url: "https://site.example/",
    runScripts: "dangerously",
    resources: "usable",
    pretendToBeVisual: true,
    virtualConsole,
    beforeParse(page) {
      page.fetch = ((url: string, init: RequestInit) => {
        const ended = new AbortController();
        init.signal?.addEventListener("abort", () => ended.abort());
        return fetch(url, { ...init, signal: ended.signal });
      }) as typeof fetch;
      Object.assign(page, {
        importFile: (url: string) => importFile(page, url),
        CSSStyleSheet: class {
          text = "";
          replaceSync(text: string) {
            this.text = text;
          }
        },
      });
      for (const { prototype } of [page.Document, page.ShadowRoot])
        Object.defineProperty(prototype, "adoptedStyleSheets", { value: [], writable: true, configurable: true });
      page.DOMTokenList.prototype.supports = () => true;
      new page.MutationObserver(preload).observe(page.document, { childList: true, subtree: true });
      for (const [key, value] of Object.entries(stored)) page.localStorage.setItem(key, value);
      page.addEventListener("unhandledrejection", (event) => errors.push(event.reason as Error));
      prepare?.(page);
    },
  });
  const { document } = window;
  return {
    window,
    document,
    errors,
    widgets: (count) =>
      until(() => {
        const roots = [...document.querySelectorAll("tidings-widget")].flatMap(({ shadowRoot }) => shadowRoot ?? []);
        return roots.length >= count ? roots : null;
      }),
    widget: () => until(() => document.querySelector("tidings-widget")?.shadowRoot),
    noWidget: async () => {
      await until(() => (document.readyState === "complete" ? true : null));
      await wait(150);
      return document.querySelector("tidings-widget");
    },
  };
}
