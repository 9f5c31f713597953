import http from "node:http";
import net from "node:net";
import type { StackFile } from "../../support/stack.ts";

/** Like hosted Supabase: strips /functions/v1, sets X-Forwarded-Host, and sends a GET's text/html as text/plain with a CSP. */
export interface HostedStandIn {
  url: string;
  hang(): void;
  stop(): Promise<void>;
}

export async function startHostedStandIn({ ports }: Pick<StackFile, "ports">): Promise<HostedStandIn> {
  let hanging = false;
  const target = (url: string): { port: number; path: string } => {
    const [, name] = /^\/functions\/v1\/([^/?]+)/.exec(url) ?? [];
    return name ? { port: ports.functions[name] ?? 0, path: url.slice("/functions/v1".length) } : { port: ports.gateway, path: url };
  };
  const headersOf = (request: http.IncomingMessage) => ({
    ...request.headers,
    host: "project.example",
    "x-forwarded-host": "project.example",
  });

  const server = http.createServer((request, response) => {
    const { port, path } = target(request.url ?? "/");
    if (hanging && port !== ports.gateway) return;
    const headers = port === ports.gateway ? { ...request.headers, host: `127.0.0.1:${port}` } : headersOf(request);
    const onward = http.request({ host: "127.0.0.1", port, path, method: request.method, headers }, (answer) => {
      const isPage = request.method === "GET" && answer.headers["content-type"]?.startsWith("text/html");
      const rewritten = isPage ? { "content-type": "text/plain", "content-security-policy": "default-src 'none'; sandbox" } : {};
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...rewritten });
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  });
  server.on("upgrade", (request, socket) => {
    const { port, path } = target(request.url ?? "/");
    const onward = net.connect(port, "127.0.0.1", () => {
      const lines = Object.entries(headersOf(request)).map(([name, value]) => `${name}: ${String(value)}`);
      onward.write(`GET ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
      socket.pipe(onward).pipe(socket);
    });
    for (const end of [onward, socket]) end.on("error", () => [onward, socket].forEach((each) => each.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    hang: () => void (hanging = true),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
