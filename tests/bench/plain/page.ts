import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright";

export interface PlainPages {
  origin: string;
  close(): Promise<void>;
}

const rows = 600;
const cells = 5;
const paragraphs = 300;

function draw(rows: number, cells: number): void {
  const table = document.createElement("table");
  for (let row = 0; row < rows; row++) {
    const line = table.insertRow();
    for (let cell = 0; cell < cells; cell++) line.insertCell().textContent = `Cell ${row} ${cell} ${Math.random().toFixed(3)}`;
  }
  document.querySelector("main")!.replaceChildren(table);
}

const script = `${draw.toString()}`;
const page = (body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Plain</title></head><body>${body}</body></html>`;

const pages: Record<string, string> = {
  "/click": page(
    `<button>Draw</button><main></main><script>${script}; document.querySelector("button").onclick = () => draw(${rows}, ${cells});</script>`,
  ),
  "/drawn": page(
    `<div id="head"></div><main></main><script>${script}; draw(${rows}, ${cells}); document.querySelector("#head").innerHTML = "<h1>A plain page</h1>";</script>`,
  ),
  "/read": page(`<h1>A plain page</h1>${"<p>What a short text has to say.</p>".repeat(10)}`),
  "/picture": page(`<h1>A plain page</h1><img src="/picture.file" alt="" fetchpriority="high" style="max-width: 100%">`),
  "/typing": page(
    `<div contenteditable>${"<p>What a long text has in one of its many paragraphs, again and again.</p>".repeat(paragraphs)}</div>`,
  ),
};

interface More {
  scripts?: Record<string, string>;
  picture?: { bytes: Buffer; type: string };
}

/** Plain pages without the product: the cost of Chromium and the machine. */
export async function servePlainPages({ scripts = {}, picture }: More = {}): Promise<PlainPages> {
  const server = createServer(({ url = "" }, response) => {
    const isPicture = picture !== undefined && url === "/picture.file";
    const body = isPicture ? picture.bytes : (pages[url] ?? scripts[url]);
    if (body === undefined) return void response.writeHead(url === "/favicon.ico" ? 204 : 404).end();
    const type = isPicture ? picture.type : url.endsWith(".js") ? "text/javascript" : "text/html; charset=utf-8";
    response.writeHead(200, { "content-type": type, "access-control-allow-origin": "*" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export async function within<T>(answer: Promise<T>, what: string): Promise<T> {
  let patience: NodeJS.Timeout | undefined;
  const late = new Promise<never>(
    (_, reject) => (patience = setTimeout(() => reject(new Error(`${what} takes longer than a minute`)), 60_000)),
  );
  return await Promise.race([answer, late]).finally(() => clearTimeout(patience));
}

export async function openPlainButton(browser: Browser, { origin }: PlainPages): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(`${origin}/click`);
  for (let warm = 0; warm < 5; warm++) await clickToPaint(page);
  return page;
}

export const clickToPaint = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const began = performance.now();
        document.querySelector("button")!.click();
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now() - began);
          port2.postMessage(undefined);
        });
      }),
  );
