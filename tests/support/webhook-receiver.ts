import http from "node:http";
import type { AddressInfo } from "node:net";

export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
  at: number;
}

/** The answer to a request: a status, `hang` for a timeout, `reset` for a broken connection, `flood` for 11 MB. */
export type Fate = { status: number; headers?: Record<string, string>; body?: string | Buffer } | "hang" | "reset" | "flood";

export interface Receiver {
  url: string;
  received: Received[];
  at(path: string): Received[];
  hanging(): number;
  stop(): void;
}

export async function startReceiver(fate: (request: Received, times: number) => Fate = () => ({ status: 200 })): Promise<Receiver> {
  const received: Received[] = [];
  let hanging = 0;
  const server = http.createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (piece: string) => (body += piece));
    request.on("end", () => {
      const one = { path: request.url!, headers: request.headers as Record<string, string>, body, at: performance.now() };
      received.push(one);
      const answer = fate(one, received.filter(({ path }) => path === one.path).length);
      if (answer === "reset") return void request.socket.resetAndDestroy();
      if (answer === "hang") {
        hanging += 1;
        request.socket.once("close", () => (hanging -= 1));
        return;
      }
      if (answer === "flood") return void response.writeHead(200).end("x".repeat(11_000_000));
      response.writeHead(answer.status, answer.headers).end(answer.body ?? "");
    });
  });
  server.on("connection", (socket) => socket.on("error", () => {}));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    at: (path) => received.filter((one) => one.path === path),
    hanging: () => hanging,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
