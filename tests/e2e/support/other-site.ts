import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface OtherSite {
  origin: string;
  page(path: string, body: string, headers?: Record<string, string>): string;
  close(): Promise<void>;
}

export async function otherSite(): Promise<OtherSite> {
  const pages = new Map<string, { html: string; headers: Record<string, string> }>();
  const server = createServer((request, response) => {
    const page = pages.get(request.url ?? "");
    if (!page) return void response.writeHead(request.url === "/favicon.ico" ? 204 : 404).end();
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...page.headers }).end(page.html);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    page: (path, body, headers = {}) => {
      const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Another site</title></head><body><main><h1>Another site</h1>${body}</main></body></html>`;
      pages.set(path, { html, headers });
      return origin + path;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
